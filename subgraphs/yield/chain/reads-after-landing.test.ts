import { afterEach, expect, it } from 'vitest'
import type { RpcCall } from '../../../test/harness/rpc-proxy.js'
import { refusalOf, sign, startYieldHarness, TENANT } from '../../../test/harness/yield.js'
import { withdrawYield } from '../domain/withdraw-yield.js'
import { findEarnings } from '../domain/yield-earnings.js'
import { broadcastsOf, inUsdc, refusal, signatureOf } from '../fixtures/broadcasts.js'

const harness = await startYieldHarness()
const { broadcast, signedDeposit } = broadcastsOf(harness)
afterEach(() => {
  harness.rpc.onCall = () => 'pass'
  harness.rpc.calls.length = 0
})

const READS = ['getMultipleAccounts', 'simulateTransaction']
const sinceOf = ({ params }: RpcCall) => (params[1] as { minContextSlot?: number }).minContextSlot

async function deposited() {
  const wallet = await harness.newWallet()
  const wire = await signedDeposit(wallet)
  await broadcast([wire])
  const known = await harness.deps.broadcasts.find(TENANT.id, signatureOf(wire))
  if (known?.state !== 'confirmed') throw new Error('it did not land')
  return { wallet, wire, slot: known.slot }
}

it('what a broadcast led to is not read from a node that is behind it, which would not show it', async () => {
  const { wallet, slot } = await deposited()
  const behind = refusal(-32016, 'Minimum context slot has not been reached')
  harness.rpc.onCall = (call) => (READS.includes(call.method) && (sinceOf(call) ?? 0) >= slot ? behind : 'pass')
  const asked = harness.rpc.calls.length
  expect(await findEarnings(harness.deps, inUsdc(wallet))).toMatchObject({ status: 'provider_unavailable' })
  // It is asked again for a while, and not for ever.
  expect(harness.rpc.calls.length - asked).toBeLessThan(10)
  const withdrawal = withdrawYield(harness.deps, TENANT, inUsdc(wallet, '5'))
  expect(await refusalOf(withdrawal)).toMatchObject({ code: 'provider_unavailable' })
  harness.rpc.onCall = () => 'pass'
  harness.rpc.calls.length = 0
  expect(Number((await findEarnings(harness.deps, inUsdc(wallet))).position)).toBeGreaterThan(9.9)
  await withdrawYield(harness.deps, TENANT, inUsdc(wallet, '5'))
  expect(harness.rpc.calls.filter(({ method }) => method === 'simulateTransaction').map(sinceOf)).toEqual([slot])
})

it('what a broadcast led to is read where the next node of the same address has its slot', async () => {
  const { wallet } = await deposited()
  const behind = refusal(-32016, 'Minimum context slot has not been reached')
  const tries = new Map<string, number>()
  // Each call comes to a node that is a slot behind, twice.
  harness.rpc.onCall = (call) => {
    const count = (tries.get(call.method) ?? 0) + 1
    tries.set(call.method, count)
    return READS.includes(call.method) && sinceOf(call) !== undefined && count % 3 !== 0 ? behind : 'pass'
  }
  expect(Number((await findEarnings(harness.deps, inUsdc(wallet))).position)).toBeGreaterThan(9.9)
  const { transaction } = await withdrawYield(harness.deps, TENANT, inUsdc(wallet, '5'))
  expect(await broadcast([sign(wallet, transaction)])).toMatchObject({ transactionHashes: null })
  expect(tries.get('simulateTransaction')).toBe(3)
})

it('a process that only answers from the record of a broadcast does not read before it either', async () => {
  const { wallet, wire, slot } = await deposited()
  const other = await harness.anotherProcess()
  await broadcast([wire], other)
  await other.chain.findSignature(signatureOf(wire))
  harness.rpc.calls.length = 0
  await findEarnings(other, inUsdc(wallet))
  expect(harness.rpc.calls.map(sinceOf).at(-1)).toBe(slot)
})

it('a slot that no chain has, told of one transaction, does not make all nodes too old', async () => {
  const wallet = await harness.newWallet()
  const deps = await harness.anotherProcess()
  deps.chain.noteLanded(2 ** 50)
  await deps.chain.findSignature(signatureOf(await signedDeposit(wallet)))
  expect(await findEarnings(deps, inUsdc(wallet))).toMatchObject({ status: 'no_position' })
})
