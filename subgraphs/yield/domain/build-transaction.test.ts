import { afterEach, expect, it } from 'vitest'
import { fund } from '../../../test/harness/solana-side.js'
import { refusalOf, sign, startYieldHarness, TENANT } from '../../../test/harness/yield.js'
import { withLookupTable } from '../../../test/harness/yield-lookup-table.js'
import { broadcastsOf, inUsdc } from '../fixtures/broadcasts.js'
import { depositYield } from './deposit-yield.js'

const harness = await startYieldHarness()
const { broadcast } = broadcastsOf(harness)
afterEach(() => {
  harness.rpc.onCall = () => 'pass'
})

it('with a look-up table fails as the chain does that cannot be asked for it', async () => {
  const wallet = await harness.newWallet()
  const deps = await harness.anotherProcess({ config: await withLookupTable(harness) })
  harness.rpc.onCall = ({ method }) => (method === 'getAccountInfo' ? 'cut' : 'pass')
  const refused = await refusalOf(depositYield(deps, TENANT, inUsdc(wallet)))
  expect(refused).toMatchObject({ code: 'provider_unavailable' })
})

const DEAR = { answer: { result: [{ slot: 1, prioritizationFee: 1_000_000 }] } }

// Each has some 0.0001 SOL beside the amount, the rent of the accounts that are made, and what a wallet has to keep.
it.each([
  ['SOL', 'amount', 5_004_200_000n, '4.99'],
  ['USDC', 'wallet', 2_990_000n, undefined],
])('of %s whose fee the wallet cannot pay beside it is refused by its %s', async (asset, field, lamports, less) => {
  const wallet = await fund({ control: harness.control }, { lamports })
  const deposit = (amount: string) =>
    depositYield(harness.deps, TENANT, { ...inUsdc(wallet, amount), provider: 'alpha_lend', asset })
  harness.rpc.onCall = ({ method }) => (method === 'getRecentPrioritizationFees' ? DEAR : 'pass')
  const dear = await deposit('5').catch((error: unknown) => error)
  expect(dear).toMatchObject({ code: 'validation_error', errors: [{ field }] })
  // What leaves enough for it, or costs less, lands.
  if (less === undefined) harness.rpc.onCall = () => 'pass'
  const { transaction } = await deposit(less ?? '5')
  expect(await broadcast([sign(wallet, transaction)])).toMatchObject({ transactionHashes: null })
})

it('that fails by something else once it has its price says so, and calls no wallet poor', async () => {
  const wallet = await fund({ control: harness.control }, { lamports: 5_004_200_000n })
  const value = { err: { InstructionError: [3, { Custom: 6009 }] }, logs: ['Program log: the price is stale'] }
  let simulations = 0
  harness.rpc.onCall = ({ method }) => {
    if (method !== 'simulateTransaction' || (simulations += 1) === 1) return 'pass'
    return { answer: { result: { context: { slot: 1 }, value } } }
  }
  const input = { ...inUsdc(wallet, '5'), provider: 'alpha_lend' as const, asset: 'SOL' }
  const refused = await refusalOf(depositYield(harness.deps, TENANT, input))
  expect(refused).toEqual({
    code: 'broadcast_simulation_failed',
    details: '{"InstructionError":[3,{"Custom":6009}]} | Program log: the price is stale',
  })
  expect(simulations).toBe(2)
})
