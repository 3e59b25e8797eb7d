import type { SolanaChain } from '../chain.js'
import type { SolanaClient } from './client.js'
import { ask } from './rpc.js'

/** Where a mint's account has its decimals (SPL Token, Token-2022: `Mint`). */
const DECIMALS_AT = 44

/**
 * What the settings of a cluster say that the cluster itself does not: that each mint exists, and counts in so many decimals.
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function checkSolanaChain(
  client: SolanaClient,
  { tokens }: Pick<SolanaChain, 'tokens'>,
): Promise<string[]> {
  const problems: string[] = []
  for (const [symbol, { mint, decimals }] of Object.entries(tokens)) {
    const config = { encoding: 'base64', commitment: 'confirmed' }
    const { value } = (await ask('confirm', () => client.call('getAccountInfo', [mint, config]))) as {
      value: { data: [string, string] } | null
    }
    const there = value && Buffer.from(value.data[0], 'base64')[DECIMALS_AT]
    if (there === null || there === undefined) problems.push(`${symbol} has no mint at its address`)
    else if (there !== decimals) problems.push(`${symbol} has ${there} decimals there`)
  }
  return problems
}
