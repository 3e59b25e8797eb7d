import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { claimDatabase, createDatabaseMode } from '../../kernel/database-mode.js'
import { openDatabase } from '../../kernel/database.js'
import { createLog } from '../../kernel/log.js'
import { ownDatabase, query } from '../harness/database.js'
import { REGISTER, registerBody, splitTo, tenantCalls } from '../harness/rest-payments.js'
import { callerOf, callRest } from '../harness/rest.js'
import { descendantsOf, isAlive } from '../harness/processes.js'
import { startProcessHarness } from '../harness/process-harness.js'
import { PAID_TYPES } from '../harness/webhook-receiver.js'
import { type Exit, NotReadyError, type ProductProcess, startProductProcess } from '../harness/product-process.js'
import { until } from '../harness/until.js'
import { ownFolder } from '../harness/at-end.js'

/** The start that must fail: how it ended. */
async function failedStart(environment: Record<string, string>): Promise<Exit> {
  const started = await startProductProcess(environment).catch((error: unknown) => error)
  if (started instanceof NotReadyError) return started.exit
  if (started instanceof Error) throw started
  await (started as ProductProcess).stop()
  throw new Error('it started')
}

describe('the product on embedded defaults', async () => {
  const folder = await ownFolder()
  const start = (environment: Record<string, string> = {}) =>
    startProductProcess({ DATA_DIR: join(folder, 'data'), ...environment })
  const sandbox = () => JSON.parse(readFileSync(join(folder, 'data', 'sandbox.json'), 'utf8')) as { api_key: string }

  it('leaves nothing running after a kill -9, and starts again on the same data', async () => {
    const first = await start()
    const { api_key: key } = sandbox()
    const started = descendantsOf(first.pid)
    expect(started.map(({ command }) => command).join(' ')).toMatch(/postgres.*anvil|anvil.*postgres/)
    expect((await callRest(first.url, 'GET', '/config/products', { as: key })).status).toBe(200)
    const [other, port] = await Promise.all([
      failedStart({ DATA_DIR: join(folder, 'data') }),
      failedStart({ DATA_DIR: join(folder, 'other'), PORT: new URL(first.url).port }),
    ])
    const inUse = new RegExp(`port ${new URL(first.url).port} .*already in use.*set PORT`)
    for (const [exit, why] of [
      [other, /already uses the data folder/],
      [port, inUse],
    ] as const) {
      expect([exit.code, exit.stdout]).toEqual([1, ''])
      const lines = exit.stderr.trim().split('\n')
      expect(lines.filter((line) => !line.startsWith('{'))).toEqual([expect.stringMatching(why)])
    }
    // The port is looked at first: nothing was started for a product that could not listen.
    expect(existsSync(join(folder, 'other'))).toBe(false)

    await first.kill()
    await until('everything has ended', () => started.every(({ pid }) => !isAlive(pid)))
    const second = await start()
    expect(sandbox().api_key).toBe(key)
    expect((await callRest(second.url, 'GET', '/config/products', { as: key })).status).toBe(200)
    const again = descendantsOf(second.pid)
    const exit = await second.stop()
    expect(exit).toMatchObject({ code: 0, signal: null })
    // What is ended on purpose is no news.
    expect(exit.stdout + exit.stderr).not.toContain('was lost')
    expect(again.filter(({ pid }) => isAlive(pid))).toEqual([])
  })

  it('names all settings that are wrong at once, and exits 1', async () => {
    const exit = await failedStart({
      PORT: 'x',
      PRODUCTS: 'crypto,gold',
      MODE: 'dead',
      RATE_LIMIT_PER_MINUTE: '-1',
      MASTER_KEY: 'short',
    })
    expect([exit.code, exit.stdout]).toEqual([1, ''])
    const lines = exit.stderr.trim().split('\n')
    expect(lines.map((line) => line.split(' ')[0]).toSorted()).toEqual([
      'MASTER_KEY',
      'MODE',
      'PORT',
      'PRODUCTS',
      'RATE_LIMIT_PER_MINUTE',
    ])
    expect(exit.stderr).not.toContain('short')
  })

  it.each([
    ['DATA_DIR', '/proc/nothing', 'ENOENT'],
    ['DATABASE_URL', 'postgres://me:topsecret@127.0.0.1:1/none', 'ECONNREFUSED'],
  ])('names %s where it leads nowhere, and exits 1', async (setting, value, reason) => {
    const exit = await failedStart({ MODE: 'sandbox', DATA_DIR: join(folder, 'nowhere'), [setting]: value })
    const lines = exit.stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{'))
    expect([exit.code, lines]).toEqual([1, [expect.stringContaining(setting)]])
    expect(lines[0]).toContain(reason)
    expect(exit.stderr).not.toContain('topsecret')
  })

  it('names all that is missing in live at once, and exits 1', async () => {
    const exit = await failedStart({ MODE: 'live' })
    expect(exit.code).toBe(1)
    for (const name of ['MASTER_KEY', 'DATABASE_URL', 'PUBLIC_URL', 'CHAINS_FILE', 'PRICE_BASE_URL'])
      expect(exit.stderr).toContain(name)
  })
})

describe('the product on a database and a chain of others', async () => {
  const harness = await startProcessHarness()
  const products = await Promise.all(['one', 'two'].map((name) => harness.start(name)))

  it('relays once what two processes are handed 50 times at the same moment', async () => {
    const tenant = await harness.dashboard.newTenant()
    const calls = products.map((product) => tenantCalls(callerOf(product), tenant))
    const [caller] = calls
    if (!caller) throw new Error('nobody runs')
    const receiver = harness.chain.newReceiver()
    const signed = await caller.signedPayment(await harness.chain.newPayer(), splitTo([receiver]))
    const asked = Array.from({ length: 50 }, (_, index) => (calls[index % 2] ?? caller).execute(signed))
    const answers = await Promise.all(asked)
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers[0]?.body.status).toBe('payment_confirmed')
    expect(harness.rpc.sendsOf(signed.raw)).toBe(1)
    expect(await harness.chain.balanceOf('USDT', receiver)).toBe(18_450_185n)
    expect((await harness.hooks.told(signed.id, 3)).map(({ type }) => type)).toEqual(PAID_TYPES)
  })

  it('lives through the loss of all its database connections, and loses nothing that it has acknowledged', async () => {
    const tenant = await harness.dashboard.newTenant()
    const [caller] = products.map(callerOf)
    if (!caller) throw new Error('nobody runs')
    const registered = (index: number) => async (): Promise<string | false> => {
      const { status, body } = await caller.rest('POST', REGISTER, {
        as: tenant,
        body: registerBody(tenant),
        headers: { 'idempotency-key': `cut-${index}` },
      })
      // One whose answer was lost on the way to us is asked for again; the key keeps it to one payment.
      return status === 201 && (body.data as { payment_id: string }).payment_id
    }
    for (let round = 0; round < 3; round += 1) {
      const asked = Array.from({ length: 40 }, (_, index) => until('an answer', registered(round * 40 + index)))
      harness.pg.cut()
      const ids = await Promise.all(asked)
      expect(new Set(ids).size).toBe(40)
      await until('every webhook', () => ids.every((id) => harness.hooks.of(id).length > 0))
    }
  })

  it('refuses a database of the other mode in one line, and writes nothing into it', async () => {
    const database = await ownDatabase()
    const migrations = [{ name: '0004-database-mode', statements: createDatabaseMode }]
    const log = createLog('silent')
    const kernel = await openDatabase({
      url: database.url,
      schema: 'kernel',
      entities: [],
      migrations,
      poolSize: 2,
      log,
    })
    await claimDatabase(kernel.pool, 'live')
    await kernel.close()
    const started = await harness.start('other', { DATABASE_URL: database.url }).catch((error: unknown) => error)
    expect(started).toBeInstanceOf(NotReadyError)
    const { code, stderr } = (started as NotReadyError).exit
    expect([code, stderr.trim()]).toEqual([
      1,
      expect.stringMatching(/^the database belongs to a live deployment[^\n]*$/),
    ])
    const schemas = await query(
      database.url,
      `select nspname from pg_namespace where nspname in ('accounts', 'payments')`,
    )
    expect(schemas).toEqual([])
    await database.drop()
  })

  it('finishes requests in flight at SIGTERM, takes no new ones, and exits 0', async () => {
    const tenant = await harness.dashboard.newTenant()
    const [one, two] = products
    if (!one || !two) throw new Error('nobody runs')
    const signed = await tenantCalls(callerOf(one), tenant).signedPayment(await harness.chain.newPayer())
    const reached = Promise.withResolvers<undefined>()
    const letGo = Promise.withResolvers<undefined>()
    harness.rpc.onCall = async ({ method }) => {
      if (method === 'eth_sendRawTransaction') {
        reached.resolve(undefined)
        await letGo.promise
      }
      return 'pass' as const
    }
    const answer = tenantCalls(callerOf(one), tenant).execute(signed)
    await reached.promise
    const exited = one.stop()
    await until('the door is closed', () =>
      fetch(`${one.url}/healthz`).then(
        () => false,
        () => true,
      ),
    )
    letGo.resolve(undefined)
    harness.rpc.onCall = () => 'pass'
    expect((await answer).body.status).toBe('payment_confirmed')
    expect(await exited).toMatchObject({ code: 0, signal: null })
    expect(await tenantCalls(callerOf(two), tenant).statusOf(signed.id)).toMatchObject({ status: 'success' })
  })
})
