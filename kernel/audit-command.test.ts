import { describe, expect, it } from 'vitest'
import { capturedLog } from '../test/harness/captured-log.js'
import { query } from '../test/harness/database.js'
import { migratedDatabase } from '../test/harness/migrated-database.js'
import { runWrittenDown } from './audit-command.js'
import { systemClock as clock } from './clock.js'

/** Has the log take every outcome but one, from now on. */
const refuse = (url: string, outcome: string) =>
  query(url, `alter table kernel.audit_outcome add constraint refused check (outcome <> '${outcome}')`)
const outcomes = (url: string) => query(url, 'select outcome from kernel.audit_outcome')
const act = { operation: 'tenant create', tenantId: null, named: {} }

describe('a command whose outcome cannot be written down', () => {
  it('is answered as done where it was done, and its entry does not say that it failed', async () => {
    const { url } = await migratedDatabase()
    const { log, lines } = capturedLog()
    const answer = await runWrittenDown(
      { url, clock },
      act,
      () => refuse(url, 'done').then(() => ({ id: 'made' })),
      log,
    )
    expect(answer).toEqual({ id: 'made' })
    expect(await outcomes(url)).toEqual([])
    expect(lines).toEqual([expect.stringContaining('"outcome":"done","resultId":"made"')])
  })

  it('fails by its own error where it failed', async () => {
    const { url } = await migratedDatabase()
    const { log, lines } = capturedLog()
    const command = () => refuse(url, 'failed').then(() => Promise.reject(new Error('there is no such tenant')))
    await expect(runWrittenDown({ url, clock }, act, command, log)).rejects.toThrow('there is no such tenant')
    expect(await outcomes(url)).toEqual([])
    expect(lines).toHaveLength(1)
  })
})
