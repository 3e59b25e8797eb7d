import { afterEach, expect, it } from 'vitest'
import { tenantQueue, type TenantQueue } from '../../../kernel/tenant-queue.js'
import type { RpcCall } from '../../../test/harness/rpc-proxy.js'
import { until } from '../../../test/harness/until.js'
import { refusalOf, startYieldHarness, TENANT } from '../../../test/harness/yield.js'
import { broadcastsOf, signatureOf } from '../fixtures/broadcasts.js'
import { broadcastYield } from './broadcast-yield.js'

const harness = await startYieldHarness()
const { signedDeposit } = broadcastsOf(harness)
afterEach(() => {
  harness.rpc.onCall = () => 'pass'
})

async function newDeposits(count: number): Promise<string[]> {
  const wires: string[] = []
  for (let made = 0; made < count; made += 1) wires.push(await signedDeposit(await harness.newWallet()))
  return wires
}

/** The node takes these with a good answer, and loses them. @returns those that it has taken */
function lose(wires: readonly string[]): ReadonlySet<string> {
  const taken = new Set<string>()
  harness.rpc.onCall = ({ method, params }: RpcCall) => {
    const wire = String(params[0])
    if (method !== 'sendTransaction' || !wires.includes(wire)) return 'pass'
    taken.add(wire)
    return { answer: { result: signatureOf(wire) } }
  }
  return taken
}

/** Broadcasts by one queue, with so much time for each request. */
function broadcaster(broadcastQueue: TenantQueue) {
  return (wire: string, { waitMs = 60_000, tenant = TENANT } = {}) => {
    const broadcastTiming = { ...harness.deps.broadcastTiming, waitMs }
    const deps = { ...harness.deps, broadcastQueue, broadcastTiming }
    return broadcastYield(deps, tenant, { chainName: 'solana', opSigned: [wire] })
  }
}

const NOTHING_SENT = {
  code: 'broadcast_rpc_unavailable',
  details: 'this request sent nothing, as its turn did not come: send the same again in a while',
}

it('a tenant whose broadcasts never land takes no turn of another, and all that wait are looked for together', async () => {
  const broadcast = broadcaster(tenantQueue({ running: 2, waiting: 10 }))
  const [another = '', ...stuck] = await newDeposits(4)
  const taken = lose(stuck)
  const waiting = stuck.map((wire) => broadcast(wire))
  await until('two are sent', () => taken.size === 2)
  const tenant = { ...TENANT, id: 'c00000000000000000another' }
  expect(await broadcast(another, { tenant })).toMatchObject({ transactionHashes: null })
  expect(taken.size).toBe(2)
  await until('both are looked for at once', () =>
    harness.rpc.calls.some(
      ({ method, params }) => method === 'getSignatureStatuses' && (params[0] as unknown[]).length > 1,
    ),
  )
  harness.rpc.onCall = () => 'pass'
  expect(await Promise.all(waiting)).toMatchObject(stuck.map((wire) => ({ transactionHash: signatureOf(wire) })))
})

it('one whose turn does not come while its request lasts has sent nothing, says so, and lands when it is sent again', async () => {
  const broadcast = broadcaster(tenantQueue({ running: 1, waiting: 1 }))
  const [stuck = '', ...others] = await newDeposits(3)
  const [late = ''] = others
  const taken = lose([stuck])
  const first = broadcast(stuck)
  await until('it is sent', () => taken.size === 1)
  expect(await refusalOf(broadcast(late, { waitMs: 500 }))).toEqual(NOTHING_SENT)
  // Of two more, one has no room to wait in.
  const both = others.map((wire) => refusalOf(broadcast(wire)))
  expect(await Promise.race(both)).toEqual(NOTHING_SENT)
  expect(harness.rpc.calls.filter(({ params }) => others.includes(String(params[0])))).toEqual([])
  harness.rpc.onCall = () => 'pass'
  expect(await first).toMatchObject({ transactionHash: signatureOf(stuck) })
  await Promise.all(both)
  for (const wire of others) expect(await broadcast(wire)).toMatchObject({ transactionHash: signatureOf(wire) })
})

it('what was sent before is never called unsent, and what has landed is answered without a turn', async () => {
  const broadcast = broadcaster(tenantQueue({ running: 1, waiting: 0 }))
  const [landed = '', lost = '', stuck = ''] = await newDeposits(3)
  const answer = await broadcast(landed)
  const taken = lose([lost, stuck])
  const unconfirmed = { code: 'broadcast_confirmation_timeout', details: `transactionHash ${signatureOf(lost)}` }
  expect(await refusalOf(broadcast(lost, { waitMs: 3_000 }))).toEqual(unconfirmed)
  const first = broadcast(stuck)
  await until('the only slot is taken', () => taken.has(stuck))
  expect(await refusalOf(broadcast(lost))).toEqual(unconfirmed)
  expect(await broadcast(landed)).toEqual(answer)
  harness.rpc.onCall = () => 'pass'
  expect(await first).toMatchObject({ transactionHash: signatureOf(stuck) })
})

it('the same bytes wait for the turn of those that came first', async () => {
  const broadcast = broadcaster(tenantQueue({ running: 1, waiting: 1 }))
  const [stuck = '', waiting = ''] = await newDeposits(2)
  const taken = lose([stuck])
  const first = broadcast(stuck)
  await until('it is sent', () => taken.size === 1)
  const twins = [waiting, waiting, waiting, stuck].map((wire) => broadcast(wire))
  harness.rpc.onCall = () => 'pass'
  expect(await Promise.all([first, ...twins])).toMatchObject(
    [stuck, waiting, waiting, waiting, stuck].map((wire) => ({ transactionHash: signatureOf(wire) })),
  )
})
