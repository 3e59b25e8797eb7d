import { beforeEach, describe, expect, it } from 'vitest'
import { EXECUTE, tenantCalls } from '../harness/rest-payments.js'
import { callerOf, callRest } from '../harness/rest.js'
import { send } from '../harness/http.js'
import type { RpcFate } from '../harness/rpc-proxy.js'
import { startProcessHarness } from '../harness/process-harness.js'
import type { ProductProcess } from '../harness/product-process.js'
import { until } from '../harness/until.js'

/** What a process may take from SIGTERM to its end. */
const STOP_MS = 10_000

const harness = await startProcessHarness()
const tenant = await harness.dashboard.newTenant()
const other = await harness.start('other')
beforeEach(() => {
  harness.pg.onStatement = () => 'pass'
  harness.rpc.onCall = () => 'pass'
})

const callsTo = (product: ProductProcess) => tenantCalls(callerOf(product), tenant)
const readiness = async ({ url }: ProductProcess) => (await send({ method: 'GET', url: `${url}/readyz` })).status

/** A signed payment that a process is asked to execute; `reached` once the node is asked for one of `methods`. */
async function executing(
  product: ProductProcess,
  methods: readonly string[],
  fate: (method: string) => RpcFate | Promise<RpcFate>,
) {
  const signed = await callsTo(product).signedPayment(await harness.chain.newPayer())
  const reached = Promise.withResolvers<undefined>()
  harness.rpc.onCall = (call) => {
    if (!methods.includes(call.method)) return 'pass'
    reached.resolve(undefined)
    return fate(call.method)
  }
  const ask = (of: ProductProcess) =>
    callerOf(of).rest('POST', EXECUTE, {
      as: tenant,
      body: { payment_id: signed.id, signed_transaction: signed.raw },
      headers: { 'idempotency-key': signed.id },
    })
  const answer = ask(product)
  answer.catch(() => undefined)
  await reached.promise
  return { signed, answer, ask }
}

describe('a process that is killed', () => {
  it('leaves a key to the next within seconds, and those that come before are told when to come', async () => {
    const product = await harness.start('killed')
    const { signed, ask } = await executing(product, ['eth_sendRawTransaction'], () => product.kill().then(() => 'cut'))
    await product.exited
    harness.rpc.onCall = () => 'pass'
    const early = await ask(other)
    expect([early.status, early.headers['retry-after']]).toEqual([409, '1'])
    const answer = await until(
      'the key is free',
      async () => {
        const next = await ask(other)
        return next.status !== 409 && next
      },
      8_000,
    )
    expect(answer.body.status).toBe('payment_confirmed')
    expect(harness.rpc.sendsOf(signed.raw)).toBe(1)
  })
})

describe('a process that is told to stop', () => {
  it('answers who waits for a confirmation, and the payment goes on without it', async () => {
    const product = await harness.start('waiting')
    // No block has it yet, as far as the node tells.
    const blocks = ['eth_getBlockByNumber', 'eth_blockNumber']
    const unmined = (method: string): RpcFate => (blocks.includes(method) ? 'cut' : { answer: { result: null } })
    const { signed, answer } = await executing(product, ['eth_getTransactionReceipt', ...blocks], unmined)
    const exited = product.stop()
    const { status, body, headers } = await answer
    expect([status, body.status]).toEqual([200, 'payment_received'])
    expect(headers.connection).toBe('close')
    expect(await exited).toMatchObject({ code: 0, signal: null })
    harness.rpc.onCall = () => 'pass'
    await callsTo(other).untilStatus(signed.id, 'success')
    expect(await callsTo(other).statusOf(signed.id)).toMatchObject({ status: 'success' })
  })

  it('ends though its database answers nothing any more, and was not ready until then', async () => {
    const product = await harness.start('silent')
    expect(await readiness(product)).toBe(200)
    harness.pg.onStatement = () => 'stop'
    expect(await readiness(product)).toBe(503)
    const request = callRest(product.url, 'GET', '/order/list', { as: tenant }).catch(() => undefined)
    let isOver = false
    const exited = product.stop().then((exit) => {
      isOver = true
      return exit
    })
    await until('it has ended', () => isOver, STOP_MS)
    expect(await exited).toMatchObject({ code: 0, signal: null })
    await request
  })

  it('ends though its database is gone', async () => {
    const product = await harness.start('gone')
    harness.pg.onStatement = () => {
      harness.pg.cut()
      return 'stop'
    }
    harness.pg.cut()
    expect(await readiness(product)).toBe(503)
    let isOver = false
    void product.stop().then(() => {
      isOver = true
    })
    await until('it has ended', () => isOver, STOP_MS)
  })
})

describe('a process whose database was away', () => {
  it('is ready again by itself, and goes on with its jobs', async () => {
    harness.pg.onStatement = () => 'stop'
    expect(await readiness(other)).toBe(503)
    harness.pg.onStatement = () => 'pass'
    harness.pg.cut()
    await until('it is ready', async () => (await readiness(other)) === 200)
    const signed = await callsTo(other).signedPayment(await harness.chain.newPayer())
    await callsTo(other).execute(signed)
    await harness.hooks.told(signed.id, 3)
  })
})
