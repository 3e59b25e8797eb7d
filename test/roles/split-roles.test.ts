import { readdir } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { type Answer, send } from '../harness/http.js'
import { splitTo, tenantCalls } from '../harness/rest-payments.js'
import { startProcessHarness } from '../harness/process-harness.js'
import { PAID_TYPES } from '../harness/webhook-receiver.js'
import { descendantsOf } from '../harness/processes.js'
import type { ProductProcess } from '../harness/product-process.js'
import { callerOf, callRest } from '../harness/rest.js'

/** The subgraphs, those that others read first. */
const SUBGRAPHS = ['accounts', 'orders', 'kyc', 'yield', 'payments'] as const

const others = new Map<string, ProductProcess>()
const harness = await startProcessHarness()
const urls: string[] = []
for (const name of SUBGRAPHS) {
  const subgraph = await harness.start(name, { ROLE: name, SUBGRAPH_URLS: urls.join(',') })
  others.set(name, subgraph)
  urls.push(`${name}=${subgraph.url}/${name}/graphql`)
}
const [started] = await Promise.all([
  harness.start('gateway', { ROLE: 'gateway', SUBGRAPH_URLS: urls.join(','), SANDBOX_CLOCK_SKEW_SECONDS: '-5' }),
  harness.start('worker', { ROLE: 'worker' }),
])
const gateway = started
harness.sandbox.setProductUrl(gateway.url)
const caller = callerOf(gateway)

describe('the product as processes of their own: a gateway, each subgraph, a worker', () => {
  it('starts nothing where everything is configured, and is a sandbox still', async () => {
    const started = [gateway, ...others.values()].map(({ pid }) => descendantsOf(pid))
    expect(started.flat()).toEqual([])
    expect(await readdir(harness.folder)).not.toContain('gateway')
    const { now } = (await callRest(gateway.url, 'GET', '/sandbox/clock')).body as { now: string }
    expect(Math.round((Date.parse(now) - Date.now()) / 1000)).toBe(-5)
  })

  it('pays a split payment, and tells the tenant of it', async () => {
    const tenant = await harness.dashboard.newTenant()
    const calls = tenantCalls(caller, tenant)
    const receivers = [harness.chain.newReceiver(), harness.chain.newReceiver()]
    const signed = await calls.signedPayment(await harness.chain.newPayer(), splitTo(receivers, [70, 30]))
    expect((await calls.execute(signed)).body.status).toBe('payment_received')
    await calls.untilStatus(signed.id, 'success')
    const paid = await Promise.all(receivers.map((receiver) => harness.chain.balanceOf('USDT', receiver)))
    expect(paid).toEqual([12_915_130n, 5_535_055n])
    expect((await harness.hooks.told(signed.id, 3)).map(({ type }) => type)).toEqual(PAID_TYPES)
  })

  it('goes on without a subgraph that died: its fields are null, its paths say 502, and the gateway is not ready', async () => {
    const ready = (): Promise<Answer> => send({ method: 'GET', url: `${gateway.url}/readyz` })
    expect((await ready()).status).toBe(200)
    const tenant = await harness.dashboard.newTenant()
    await others.get('orders')?.kill()
    expect([(await ready()).status, (await send({ method: 'GET', url: `${gateway.url}/healthz` })).status]).toEqual([
      503, 200,
    ])
    const query = '{ products { pix } orders(first: 1) { totalCount } }'
    const { body } = await caller.rest('POST', '/graphql', { as: tenant, body: { query } })
    expect(body).toMatchObject({
      data: { products: { pix: true }, orders: null },
      errors: [{ extensions: { code: 'PROVIDER_UNAVAILABLE' } }],
    })
    const list = await caller.rest('GET', '/order/list', { as: tenant })
    expect(list.body).toMatchObject({ statusCode: 502, status: 'provider_unavailable' })
    expect((await caller.rest('GET', '/config/products', { as: tenant })).status).toBe(200)
  })

  it('answers 502 and no 500 where it cannot ask whose a key is', async () => {
    const tenant = await harness.dashboard.newTenant()
    await others.get('accounts')?.kill()
    expect((await caller.rest('GET', '/config/products', { as: tenant })).body).toMatchObject({ statusCode: 502 })
    const graphql = await caller.rest('POST', '/graphql', { as: tenant, body: { query: '{ products { pix } }' } })
    expect([graphql.status, graphql.body.errors]).toMatchObject([
      502,
      [{ extensions: { code: 'PROVIDER_UNAVAILABLE' } }],
    ])
  })
})
