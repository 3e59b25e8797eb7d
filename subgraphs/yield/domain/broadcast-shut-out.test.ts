import { Keypair, type PublicKey, type TransactionInstruction } from '@solana/web3.js'
import { expect, it } from 'vitest'
import { until } from '../../../test/harness/until.js'
import { refusalOf, startYieldHarness, TENANT } from '../../../test/harness/yield.js'
import { broadcastsOf, isSend, refusal, signatureOf } from '../fixtures/broadcasts.js'
import { broadcastYield } from './broadcast-yield.js'

const harness = await startYieldHarness()
const { signedDeposit, compile } = broadcastsOf(harness)

const [TENANTS, EACH] = [8, 32]
/** A process that is patient with its nodes. */
const deps = await harness.anotherProcess({
  rpcTimeoutMs: 60_000,
  broadcastTiming: { ...harness.deps.broadcastTiming, waitMs: 60_000 },
})

/** Deposits of wallets that have nothing, each of its own. */
async function worthless(count: number): Promise<string[]> {
  const market = harness.marketOf('beta', 'USDC')
  const { accounts, time } = await deps.chain.readAccounts(market.accounts)
  const legsOf = (wallet: PublicKey): TransactionInstruction[] => market.read(accounts, time).depositLeg(wallet, 1n)
  return Promise.all(
    Array.from({ length: count }, () => {
      const wallet = Keypair.generate()
      return compile(wallet, legsOf(wallet.publicKey))
    }),
  )
}

it('tenants with as many worthless broadcasts as they may have keep no other from a node', async () => {
  const wires = await worthless(TENANTS * EACH)
  const wire = await signedDeposit(await harness.newWallet())
  const held = new Set<string>()
  const end = Promise.withResolvers<undefined>()
  // The node takes its time for each of them, until the other has landed.
  harness.rpc.onCall = async (call) => {
    const sent = String(call.params[0])
    if (!isSend(call) || sent === wire) return 'pass'
    held.add(sent)
    await end.promise
    return refusal(-32602, 'invalid transaction')
  }
  const hostile = wires.map((one, index) => {
    const tenant = { ...TENANT, id: `c0000000000000000hostile${index % TENANTS}` }
    return refusalOf(broadcastYield(deps, tenant, { chainName: 'solana', opSigned: [one] }))
  })
  await until('some of them are at the node', () => held.size >= 5)
  const answer = await refusalOf(broadcastYield(deps, TENANT, { chainName: 'solana', opSigned: [wire] }))
  end.resolve(undefined)
  await Promise.all(hostile)
  expect(answer).toEqual({ code: 'done', details: undefined })
  expect(held.size).toBe(TENANTS * EACH)
  expect(await deps.broadcasts.find(TENANT.id, signatureOf(wire))).toMatchObject({ state: 'confirmed' })
})
