import type { SolanaChain } from '../../chains/chain.js'

/** Kamino's main market. Its reserves are named by their addresses, as it lists look-alikes of the same tokens too. */
const KAMINO_MAIN_MARKET = '7u3HeHxYDLhnCoErrtycNokbQYbWGzLs6JSDqGAv5PfF'

const TOKENS = [
  {
    token: { symbol: 'USDC', mint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', decimals: 6 },
    reserve: 'D6q6wuQSrifJKZYpR1M8R4YawnLDtDsMmWM1NbBmgJ59',
  },
  {
    token: { symbol: 'USDT', mint: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB', decimals: 6 },
    reserve: 'H3t6qZ1JkguCNTi9uzVKqQ7dvt2cum4XiXWom6Gn5e5S',
  },
  {
    token: { symbol: 'SOL', mint: 'So11111111111111111111111111111111111111112', decimals: 9 },
    reserve: 'd4A2prbA2whesmvHaL88BH6Ewn5N4bTSU2Ze8P6Bc4Q',
  },
]

/**
 * The markets of Solana's mainnet in the form of `YIELD_MARKETS_FILE`: what live offers where no file is configured and its
 * Solana chain has mainnet's USDC. Tokens of the program Token-2022, such as PYUSD, are left out: no builder makes their
 * instructions.
 */
export const MAINNET_MARKETS = {
  markets: TOKENS.flatMap(({ token, reserve }) => [
    { provider: 'alpha_lend', ...token },
    { provider: 'beta', ...token, market: KAMINO_MAIN_MARKET, reserve },
  ]),
}

/** Whether a chain's USDC is mainnet's, so that the markets of mainnet are on it. */
export function isMainnet({ tokens }: Pick<SolanaChain, 'tokens'>): boolean {
  return TOKENS.some(({ token }) => token.symbol === 'USDC' && token.mint === tokens['USDC']?.mint)
}
