import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { capturedLog } from '../../test/harness/captured-log.js'
import { ownFolder } from '../../test/harness/at-end.js'
import { serve } from '../../test/harness/serve.js'
import { containerCredentials, parseContainerPath, parseContainerUrl } from './aws-credentials.js'

const START = Date.parse('2026-01-01T00:00:00Z')
const HOUR_MS = 3_600_000
const { log, lines } = capturedLog()
const tokenFile = join(await ownFolder(), 'token')

/** Answers as the agent of a container does: new credentials each time, which hold for an hour. */
async function startAgent() {
  const agent = { url: '', nowMs: START, answered: 0, isDown: false, now: () => new Date(agent.nowMs) }
  const { url } = await serve((request, response) => {
    const isAllowed = request.url === '/v2/credentials/hidden' && request.headers.authorization === 'a token'
    if (agent.isDown || !isAllowed) {
      response.writeHead(agent.isDown ? 500 : 403).end('{}')
      return
    }
    agent.answered += 1
    const Expiration = new Date(agent.nowMs + HOUR_MS).toISOString().replace('.000', '')
    const keys = { AccessKeyId: `AKID${agent.answered}`, SecretAccessKey: 'hidden', Token: 'hidden', Expiration }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ RoleArn: 'arn', ...keys }))
  })
  agent.url = `${url}/v2/credentials/hidden`
  return agent
}

describe("credentials of a container's role", () => {
  it('are asked for once, and again before they end, with the token that is in the file by then', async () => {
    const agent = await startAgent()
    const source = containerCredentials({ url: agent.url, tokenFile }, { log, now: agent.now })
    writeFileSync(tokenFile, 'an earlier token')
    await expect(source()).rejects.toMatchObject({ kind: 'auth' })
    writeFileSync(tokenFile, 'a token\n')
    const first = { accessKeyId: 'AKID1', secretAccessKey: 'hidden', sessionToken: 'hidden' }
    expect(await source()).toEqual(first)
    agent.nowMs += HOUR_MS - 6 * 60_000
    expect(await source()).toEqual(first)
    agent.nowMs += 2 * 60_000
    expect(await source()).toMatchObject({ accessKeyId: 'AKID2' })
    expect(agent.answered).toBe(2)
  })

  it('are used until they end where they cannot be renewed, and not longer', async () => {
    const agent = await startAgent()
    writeFileSync(tokenFile, 'a token')
    const source = containerCredentials({ url: agent.url, tokenFile }, { log, now: agent.now, timeoutMs: 1_000 })
    await source()
    agent.isDown = true
    agent.nowMs += HOUR_MS - 60_000
    expect(await source()).toMatchObject({ accessKeyId: 'AKID1' })
    agent.nowMs += 60_000
    await expect(source()).rejects.toMatchObject({ kind: 'unavailable' })
  })

  it('are in no log, nor is the path that gives them', () => {
    expect(lines.join('')).not.toContain('hidden')
  })

  it('come from this machine or over https', () => {
    expect(parseContainerPath('/v2/credentials/a-b')).toBe('http://169.254.170.2/v2/credentials/a-b')
    expect(parseContainerUrl('http://169.254.170.23/v1/credentials')).toBe('http://169.254.170.23/v1/credentials')
    expect(parseContainerUrl('https://agent.internal/role')).toBe('https://agent.internal/role')
    expect(() => parseContainerUrl('http://agent.internal/role')).toThrow('https')
    expect(() => parseContainerUrl('role')).toThrow('https')
    expect(() => parseContainerPath('@agent.internal/role')).toThrow('must be a path')
  })
})
