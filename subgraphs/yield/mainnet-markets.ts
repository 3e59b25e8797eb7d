import type { SolanaChain } from '../../chains/chain.js'
import { PROVIDERS } from './providers/registry.js'

const TOKENS = [
  { symbol: 'USDC', mint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', decimals: 6 },
  { symbol: 'USDT', mint: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB', decimals: 6 },
  { symbol: 'SOL', mint: 'So11111111111111111111111111111111111111112', decimals: 9 },
]

/**
 * The markets of Solana's mainnet in the form of `YIELD_MARKETS_FILE`: what live offers where no file is configured and its
 * Solana chain has mainnet's USDC. Tokens of the program Token-2022, such as PYUSD, are left out: no builder makes their
 * instructions.
 */
export const MAINNET_MARKETS = {
  markets: TOKENS.flatMap((token) =>
    PROVIDERS.flatMap(({ name, mainnetSettings }) => {
      const settings = mainnetSettings?.(token.symbol)
      return settings ? [{ provider: name, ...token, ...settings }] : []
    }),
  ),
}

/** Whether a chain's USDC is mainnet's, so that the markets of mainnet are on it. */
export function isMainnet({ tokens }: Pick<SolanaChain, 'tokens'>): boolean {
  return TOKENS.some(({ symbol, mint }) => symbol === 'USDC' && mint === tokens['USDC']?.mint)
}
