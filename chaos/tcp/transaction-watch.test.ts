import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ownDatabase, query } from '../../test/harness/database.js'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.js'
import { transactionCuts } from './transaction-watch.js'

const cuts = transactionCuts()
let database: Awaited<ReturnType<typeof ownDatabase>>
let proxy: TcpProxy
let url: string
beforeAll(async () => {
  database = await ownDatabase()
  await query(database.url, 'create table written (id int)')
  proxy = await startTcpProxy(Number(new URL(database.url).port), cuts.newWatch)
  const through = new URL(database.url)
  through.port = String(proxy.port)
  url = through.href
})
afterAll(async () => {
  await proxy.close()
  await database.drop()
})
afterEach(() => query(database.url, 'truncate written'))

/** Runs the statements in order. @returns how many were answered */
async function answeredOf(statements: readonly string[]): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  let answered = 0
  try {
    for (const statement of statements) {
      await client.query(statement)
      answered += 1
    }
  } catch {
    // The connection is gone.
  }
  await client.end().catch(() => undefined)
  return answered
}

const TRANSACTION = ['select 1', 'begin', 'insert into written values (1)', 'commit']
const written = (): Promise<Record<string, unknown>[]> => query(database.url, 'select id from written')

describe('a connection to PostgreSQL', () => {
  it.each([
    ['statement', 2, []],
    ['answer', 2, []],
    ['commit-answer', 3, [{ id: 1 }]],
  ] as const)('is cut in a transaction, at the %s, and not outside', async (point, answered, rows) => {
    const callOff = cuts.arm(point, 1)
    expect(await answeredOf(['select 1', 'select 2'])).toBe(2)
    expect(await answeredOf(TRANSACTION)).toBe(answered)
    expect(await written()).toEqual(rows)
    expect(await answeredOf(TRANSACTION)).toBe(4)
    callOff()
  })

  it('is cut no more once that is called off', async () => {
    cuts.arm('statement', 5)()
    expect(await answeredOf(TRANSACTION)).toBe(4)
  })
})
