import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { execute, signedPayment, untilStatus, type Caller } from '../support/payments.js'
import { startProcessWorld, type ProcessWorld } from '../support/process-world.js'
import { until } from '../support/until.js'
import { callRest, type RestCall } from '../support/world.js'

/** The subgraphs, those that others read first. */
const SUBGRAPHS = ['accounts', 'orders', 'kyc', 'yield', 'payments'] as const

let world: ProcessWorld
let caller: Caller
beforeAll(async () => {
  world = await startProcessWorld()
  const urls: string[] = []
  for (const name of SUBGRAPHS) {
    const { url } = await world.start(name, { ROLE: name, SUBGRAPH_URLS: urls.join(',') })
    urls.push(`${name}=${url}/${name}/graphql`)
  }
  const [gateway] = await Promise.all([
    world.start('gateway', { ROLE: 'gateway', SUBGRAPH_URLS: urls.join(',') }),
    world.start('worker', { ROLE: 'worker' }),
  ])
  caller = { rest: (method: string, path: string, call?: RestCall) => callRest(gateway.url, method, path, call) }
}, 120_000)
afterAll(() => world[Symbol.asyncDispose]())

describe('the product as processes of their own: a gateway, each subgraph, a worker', () => {
  it('pays a split payment, and tells the tenant of it', async () => {
    const tenant = await world.dashboard.newTenant()
    const receivers = [world.chain.newReceiver(), world.chain.newReceiver()]
    const split = receivers.map((wallet, index) => ({ receiver_wallet: wallet, receiver_percent: [70, 30][index] }))
    const signed = await signedPayment(caller, tenant, await world.chain.newPayer(), { split_payment_config: split })
    expect((await execute(caller, tenant, signed)).body.status).toBe('payment_received')
    await untilStatus(caller, tenant, signed.id, 'success')
    const paid = await Promise.all(receivers.map((receiver) => world.chain.balanceOf('USDT', receiver)))
    expect(paid).toEqual([12_915_130n, 5_535_055n])
    await until('three webhooks', () => world.hooks.of(signed.id).length >= 3)
    expect(world.hooks.of(signed.id).map(({ type }) => type)).toEqual([
      'payment.registered',
      'payment.pending',
      'payment.success',
    ])
  })
})
