import type { Keypair } from '@solana/web3.js'
import { afterEach, expect, it } from 'vitest'
import { sign, startYieldHarness, TENANT } from '../../../test/harness/yield.js'
import { broadcastsOf, inUsdc } from '../fixtures/broadcasts.js'
import { depositYield } from './deposit-yield.js'
import { rebalanceYield } from './rebalance-yield.js'
import { withdrawYield } from './withdraw-yield.js'

const harness = await startYieldHarness()
const { deps } = harness
const { broadcast } = broadcastsOf(harness)
afterEach(() => {
  harness.rpc.onCall = () => 'pass'
})

const DEAR = { answer: { result: [{ slot: 1, prioritizationFee: 1_000_000 }] } }
const POOR = { code: 'validation_error', errors: [{ field: 'wallet', message: 'has too little SOL for the fee' }] }

/** A wallet whose tokens are all in Jupiter Lend. */
async function depositor(asset: string): Promise<Keypair> {
  const wallet = await harness.newWallet()
  const input = { ...inUsdc(wallet, '1000'), provider: 'alpha_lend', asset }
  await broadcast([sign(wallet, (await depositYield(deps, TENANT, input)).transaction)])
  return wallet
}

function hold(wallet: Keypair, lamports: bigint): Promise<void> {
  const account = { owner: '1'.repeat(32), executable: false, data: new Uint8Array() }
  return harness.control.setAccounts([{ ...account, address: wallet.publicKey.toBase58(), lamports }])
}

const withdraw = (wallet: Keypair) =>
  withdrawYield(deps, TENANT, { ...inUsdc(wallet, '400'), asset: 'USDT', provider: 'alpha_lend' })
const rebalance = (wallet: Keypair, asset: string) => {
  const legs = { provider: null, providerOut: 'alpha_lend', providerIn: 'beta' }
  return rebalanceYield(deps, TENANT, { ...inUsdc(wallet, '400'), asset, ...legs })
}

// Each has some 0.0001 SOL beside the rent of the accounts that are made, and what a wallet has to keep.
it.each([
  ['a withdrawal', 1_000_000n, (wallet: Keypair) => withdraw(wallet)],
  ['a rebalance', 3_040_000n, (wallet: Keypair) => rebalance(wallet, 'USDT')],
])('%s is refused where the wallet cannot pay its fee, and built where it can', async (_what, lamports, build) => {
  const wallet = await depositor('USDT')
  await hold(wallet, lamports)
  harness.rpc.onCall = ({ method }) => (method === 'getRecentPrioritizationFees' ? DEAR : 'pass')
  await expect(build(wallet)).rejects.toMatchObject(POOR)
  harness.rpc.onCall = () => 'pass'
  await expect(build(wallet)).resolves.toBeDefined()
})

it('a rebalance in two is refused where the wallet can pay for each of them and not for both', async () => {
  const wallet = await depositor('PYUSD')
  await hold(wallet, 2_938_000n)
  await expect(rebalance(wallet, 'PYUSD')).rejects.toMatchObject(POOR)
  await hold(wallet, 2_950_000n)
  const built = await rebalance(wallet, 'PYUSD')
  if (built.mode !== 'two_transaction') throw new Error('it fits')
  const both = [built.withdraw, built.deposit].map(({ transaction }) => sign(wallet, transaction))
  expect(await broadcast(both)).toMatchObject({ transactionHashes: [expect.any(String), expect.any(String)] })
})
