import { PublicKey } from '@solana/web3.js'
import { createSolanaClient } from '../../chains/solana/client.js'
import { associatedTokenAddress } from '../../chains/solana/token.js'
import { usdtOf, type DemoChain } from '../../sandbox/demo/balances.js'
import { inParallel, type ProductHarness } from './product-harness.js'

/** A node of Solana answers about so many accounts at once. */
const ASKED_AT_ONCE = 100
const WIDTH = 4

/**
 * What addresses hold of USDT, in base units, in their order. On Solana by the addresses of their token accounts: to look for an
 * owner's reads all accounts of the chain, for each.
 */
export async function heldByReceivers(
  { sandbox }: Pick<ProductHarness, 'sandbox'>,
  chain: DemoChain,
  owners: readonly string[],
): Promise<bigint[]> {
  const parts = Array.from({ length: Math.ceil(owners.length / ASKED_AT_ONCE) }, (_, index) =>
    owners.slice(index * ASKED_AT_ONCE, (index + 1) * ASKED_AT_ONCE),
  )
  return (await inParallel(parts, WIDTH, (some) => heldOf(sandbox, chain, some))).flat()
}

async function heldOf(
  sandbox: ProductHarness['sandbox'],
  chain: DemoChain,
  owners: readonly string[],
): Promise<bigint[]> {
  if (chain === 'polygon') return Promise.all(owners.map((owner) => usdtOf(sandbox, chain, owner)))
  const { rpc_url: rpcUrl, tokens } = sandbox.chains.solana
  const mint = new PublicKey(tokens.USDT.mint)
  const accounts = owners.map((owner) => associatedTokenAddress(new PublicKey(owner), mint).toBase58())
  const config = { encoding: 'base64', commitment: 'confirmed' }
  const { value } = (await createSolanaClient({ rpcUrl, commitment: 'confirmed' }).call('getMultipleAccounts', [
    accounts,
    config,
  ])) as { value: readonly ({ data: readonly [string, string] } | null)[] }
  // A token account's amount is the u64 at offset 64 (SPL Token, state.rs).
  return value.map((account) => (account ? Buffer.from(account.data[0], 'base64').readBigUInt64LE(64) : 0n))
}
