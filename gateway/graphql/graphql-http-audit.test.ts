import { serverAudits, type Audit } from 'graphql-http'
import { describe, expect, it } from 'vitest'
import { startHarness } from '../../test/harness/harness.js'

const harness = await startHarness()

/** The audit's requests, with the key that every request needs. */
const withKey: typeof fetch = (url, init) => {
  const headers = new Headers(init?.headers)
  headers.set('x-api-key', harness.tenant.key)
  return fetch(url, { ...init, headers })
}

const audits = serverAudits({ url: () => `${harness.url}/graphql`, fetchFn: withKey })

/** What the audit has against the answer; it throws where a MUST is broken and gives a notice for the others. */
async function complaint(audit: Audit): Promise<string> {
  const result = await audit.fn()
  return result.status === 'ok' ? '' : result.reason
}

describe('GraphQL over HTTP is kept to the letter, MUST, SHOULD and MAY:', () => {
  it.each(audits.map((audit) => [audit.name, audit] as const))('%s', async (_name, audit) => {
    expect(await complaint(audit)).toBe('')
  })

  it('all 61 audits are run', () => {
    expect(audits).toHaveLength(61)
  })
})
