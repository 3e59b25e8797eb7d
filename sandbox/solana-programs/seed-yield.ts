import { PublicKey } from '@solana/web3.js'
import { createSolanaClient } from '../../chains/solana/client.js'
import { control } from '../solana/control.js'
import { associatedAccount, tokenAccount } from './account-bytes.js'
import { baseUnits, type MarketToken } from './markets.js'
import { LENDING_MARKET } from './seed-kamino.js'
import { yieldSeed, type SeededMarket } from './yield-seed.js'

const CLOCK_SYSVAR = new PublicKey('SysvarC1ock11111111111111111111111111111111')
/** What the payer gets of each token that only the lending markets know, in whole tokens. */
const FIRST_BALANCE = 100_000

/**
 * Brings the lending markets to a chain of the sandbox that has none yet, and gives the payer some of the tokens that only
 * they know. Markets that are there keep their interest.
 * @param options.tokens USDC and USDT as the chain has them
 * @param options.payer base58
 * @returns the list of markets as `YIELD_MARKETS_FILE` would hold it
 * @throws Error where the chain does not answer
 */
export async function seedYield(
  rpcUrl: string,
  options: { tokens: Readonly<Record<string, { mint: string; decimals: number }>>; payer: string },
): Promise<object> {
  const { connection } = createSolanaClient({ rpcUrl, commitment: 'confirmed' })
  const [clock, market] = await connection.getMultipleAccountsInfo([CLOCK_SYSVAR, LENDING_MARKET])
  if (!clock) throw new Error('the chain has no clock')
  const tokens = Object.entries(options.tokens).map(([symbol, token]): MarketToken => ({ symbol, ...token }))
  const { accounts, markets, ownTokens } = yieldSeed(tokens, clock.data.readBigInt64LE(32))
  if (!market) {
    const payer = new PublicKey(options.payer)
    const balances = ownTokens.map(({ mint, decimals }) => {
      const key = new PublicKey(mint)
      return tokenAccount(associatedAccount(key, payer), key, payer, baseUnits(FIRST_BALANCE, decimals))
    })
    await control(rpcUrl).setAccounts([...accounts, ...balances])
  }
  return { markets: markets.flatMap(marketEntries) }
}

/** Each token is lent at both providers. */
function marketEntries({ symbol, mint, decimals, kaminoMarket, kaminoReserve, kaminoRefreshedWith }: SeededMarket) {
  const token = { symbol, mint, decimals }
  return [
    { provider: 'alpha_lend', ...token },
    { provider: 'beta', ...token, market: kaminoMarket, reserve: kaminoReserve, refreshedWith: kaminoRefreshedWith },
  ]
}
