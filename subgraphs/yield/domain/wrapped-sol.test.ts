import { expect, it } from 'vitest'
import { associatedTokenAddress } from '../../../chains/solana/token.js'
import { holding } from '../../../sandbox/solana/seed.js'
import { sign, startYieldHarness, TENANT } from '../../../test/harness/yield.js'
import { broadcastYield } from './broadcast-yield.js'
import { depositYield } from './deposit-yield.js'
import { withdrawYield } from './withdraw-yield.js'

const harness = await startYieldHarness()

it('a deposit and a withdrawal of SOL leave an account of wrapped SOL that stood before, and what it holds', async () => {
  const wallet = await harness.newWallet()
  const owner = wallet.publicKey.toBase58()
  const { mint } = harness.marketOf('beta', 'SOL').asset
  const address = associatedTokenAddress(wallet.publicKey, mint).toBase58()
  const account = holding(address, { owner, mint: mint.toBase58(), amount: 5_000_000_000n })
  // is_native, with the rent that is not part of the amount (spl-token: state::Account).
  const data = Buffer.from(account.data)
  data.writeUInt32LE(1, 109)
  data.writeBigUInt64LE(account.lamports, 113)
  await harness.control.setAccounts([{ ...account, lamports: account.lamports + 5_000_000_000n, data }])
  const send = (transaction: string) =>
    broadcastYield(harness.deps, TENANT, { chainName: 'solana', opSigned: [sign(wallet, transaction)] })
  for (const provider of ['alpha_lend', 'beta'] as const) {
    const move = { provider, asset: 'SOL', wallet: owner, chainName: 'solana' }
    const before = await harness.balanceOf(wallet.publicKey, mint)
    await send((await depositYield(harness.deps, TENANT, { ...move, amount: '10' })).transaction)
    expect(await harness.balanceOf(wallet.publicKey, mint)).toBe(before)
    await send((await withdrawYield(harness.deps, TENANT, { ...move, amount: '4' })).transaction)
    expect(await harness.balanceOf(wallet.publicKey, mint)).toBe(before + 4_000_000_000n)
  }
})
