import { associatedTokenAddress } from '../../../chains/solana/token.js'
import { AppError, validationError } from '../../../kernel/errors.js'
import { fromBaseUnits } from '../../../kernel/money.js'
import type { YieldDeps } from '../deps.js'
import type { ListedMarket } from '../providers/provider.js'
import { checkMove, listedMarketOf, walletKey, type MoveInput } from './check-move.js'
import { openAll } from './open-markets.js'
import { readTogether } from './read-markets.js'
import { heldBy, NOT_ITS_OWN } from './token-holding.js'

type EarningsInput = Omit<MoveInput, 'amount'>

/** Whether a position was read; a strategy that is closed is read as well. */
export type EarningsStatus = 'ok' | 'no_position' | 'provider_unavailable'

/** What a wallet has in a strategy, as the protocol's own accounts say it now. */
export interface Earnings extends EarningsInput {
  /** In whole tokens, with the interest up to now; null where there is none or it cannot be read. */
  position: string | null
  status: EarningsStatus
  details: string | null
}

type YieldEarningsDeps = Pick<YieldDeps, 'chain' | 'log' | 'openMarkets' | 'settings'>

/**
 * Reads the live balance of a wallet in a strategy. That it cannot be read is told in the answer.
 * @throws AppError validation_error
 */
export async function findEarnings(deps: YieldEarningsDeps, input: EarningsInput): Promise<Earnings> {
  const { provider, wallet, chainName } = input
  const failures = checkMove(deps, input)
  if (failures.length > 0) throw validationError(failures)
  const market = listedMarketOf(deps.settings, input)
  const entry = { provider, asset: market.asset.symbol, wallet, chainName }
  try {
    const position = await readPosition(deps, market, wallet)
    if (position !== undefined && position !== '0') return { ...entry, position, status: 'ok', details: null }
    const details = position === undefined ? `The wallet ${NOT_ITS_OWN} of the strategy's shares.` : null
    return { ...entry, position: null, status: 'no_position', details }
  } catch (error) {
    deps.log.warn({ err: error, provider }, 'a position cannot be read')
    const details = error instanceof AppError ? error.message : null
    return { ...entry, position: null, status: 'provider_unavailable', details }
  }
}

/** @returns in whole tokens; undefined where the account of shares at the wallet's address is not the wallet's any more */
async function readPosition(
  deps: YieldEarningsDeps,
  listed: ListedMarket,
  wallet: string,
): Promise<string | undefined> {
  const owner = walletKey(wallet)
  const markets = await openAll(deps.openMarkets, [listed])
  const shareMint = markets[0]?.addresses.shareMint
  if (!shareMint) throw new Error('a market was not opened')
  const { states, accounts } = await readTogether(deps, markets, [associatedTokenAddress(owner, shareMint)])
  const shares = heldBy(owner, shareMint, accounts[0])
  return shares === undefined ? undefined : fromBaseUnits(states[0]?.worthOf(shares) ?? 0n, listed.asset.decimals)
}
