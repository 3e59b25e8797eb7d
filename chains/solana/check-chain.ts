import type { SolanaChain } from '../chain.js'
import type { SolanaClient } from './client.js'
import { ask } from './rpc.js'
import { TOKEN_PROGRAM_ID } from './token.js'

/** Where a mint's account has its decimals (SPL Token: `Mint`). */
const DECIMALS_AT = 44

interface MintAccount {
  owner: string
  data: [string, string]
}

/**
 * What the settings of a cluster say that the cluster itself does not: which one it is, that each mint exists, is of the token
 * program by which we pay, and counts in so many decimals.
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function checkSolanaChain(
  client: SolanaClient,
  { tokens, genesisHash }: Pick<SolanaChain, 'tokens' | 'genesisHash'>,
): Promise<string[]> {
  const problems: string[] = []
  if (genesisHash !== undefined) {
    const there = await ask('confirm', () => client.call('getGenesisHash', []))
    if (there !== genesisHash) problems.push(`genesisHash is ${String(there)} there`)
  }
  for (const [symbol, { mint, decimals }] of Object.entries(tokens)) {
    const config = { encoding: 'base64', commitment: 'confirmed' }
    const { value } = (await ask('confirm', () => client.call('getAccountInfo', [mint, config]))) as {
      value: MintAccount | null
    }
    const there = value && Buffer.from(value.data[0], 'base64')[DECIMALS_AT]
    if (there === null || there === undefined) problems.push(`${symbol} has no mint at its address`)
    else if (value?.owner !== TOKEN_PROGRAM_ID.toBase58()) problems.push(`${symbol} is of another token program there`)
    else if (there !== decimals) problems.push(`${symbol} has ${there} decimals there`)
  }
  return problems
}
