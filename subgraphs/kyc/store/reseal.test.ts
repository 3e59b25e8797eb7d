import { randomBytes } from 'node:crypto'
import { expect, it, vi } from 'vitest'
import { createLog } from '../../../kernel/log.js'
import { ending } from '../../../test/harness/at-end.js'
import { kernelDatabase } from '../../../test/harness/migrated-database.js'
import { readsOf } from '../../../test/harness/reads-of.js'
import { openKyc } from '../cli/open-kyc.js'
import { openKycDatabase } from '../context.js'
import { loadKycEnv } from '../env.js'
import { createVault } from '../vault.js'
import { eventContext } from './person-events.js'
import { reseal } from './reseal.js'

const { url, kernel } = await kernelDatabase()
const db = ending(await openKycDatabase({ url, poolSize: 2, log: createLog('silent') }))
const query = async (sql: string, values: unknown[] = []) =>
  (await db.pool.query<Record<string, unknown>>(sql, values)).rows

const [oldKey, newKey] = [randomBytes(32), randomBytes(32)]
const [before, after] = [createVault([oldKey]), createVault([newKey, oldKey])]
/** More than are read at once, and numbers that sort otherwise as texts. */
const EVENTS = 1_203
const PEOPLE = ['a', 'b']

/** The statements about events that sealing everything again runs, each with its values. */
async function statementsOfReseal(): Promise<{ text: string; values: unknown[] }[]> {
  const asked = vi.spyOn(db.pool, 'query')
  expect(await reseal(db, after)).toBe(PEOPLE.length * EVENTS)
  const calls = asked.mock.calls.map(([statement, values]) => {
    const { text, values: own } = statement as unknown as { text?: string; values?: unknown[] }
    return { text: text ?? String(statement), values: own ?? (values as unknown as unknown[] | undefined) ?? [] }
  })
  asked.mockRestore()
  return calls.filter(({ text }) => text.includes('kyc.person_event'))
}

it('everything is sealed again once, however many events a person has, and each row is found by its key', async () => {
  for (const person of PEOPLE) {
    const sealed = Array.from({ length: EVENTS }, (_, index) =>
      before.seal(`${person} ${index + 1}`, eventContext('tenant', person, index + 1)),
    )
    await query(
      `insert into kyc.person_event (tenant_id, person_id, sequence, cause, snapshot_sealed, created_at)
        select 'tenant', $1, n, 'test', sealed, now() from unnest($2::text[]) with ordinality as given (sealed, n)`,
      [person, sealed],
    )
  }
  await query('analyze kyc.person_event')
  const statements = await statementsOfReseal()
  expect(await reseal(db, after)).toBe(0)
  const rows = await query('select person_id, sequence, snapshot_sealed as sealed from kyc.person_event')
  const alone = createVault([newKey])
  for (const { person_id: person, sequence, sealed } of rows) {
    const context = eventContext('tenant', String(person), Number(sequence))
    expect(alone.open(String(sealed), context)).toBe(`${String(person)} ${String(sequence)}`)
  }
  const batches = statements.filter(({ text }) => text.startsWith('select'))
  for (const batch of batches) expect((await readsOf(query, 'person_event', batch)).rows).toBeLessThanOrEqual(500)
  const [write] = statements.filter(({ text }) => text.startsWith('update'))
  if (!write) throw new Error('nothing was written')
  expect((await readsOf(query, 'person_event', write)).rows).toBeLessThanOrEqual(1)
})

it('the command waits longer for a statement than a request may', async () => {
  const environment = { DATABASE_URL: url, MASTER_KEY: newKey.toString('hex') }
  const kyc = await openKyc(loadKycEnv(environment))
  const shown = await kyc.db.pool.query('show statement_timeout').finally(() => kyc.db.close())
  expect(shown.rows).toEqual([{ statement_timeout: '15min' }])
  expect((await kernel.pool.query('show statement_timeout')).rows).toEqual([{ statement_timeout: '10s' }])
})
