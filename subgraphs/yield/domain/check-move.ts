import { PublicKey } from '@solana/web3.js'
import { addressText } from '../../../chains/solana/address-text.js'
import { isOnCurve } from '../../../chains/solana/on-curve.js'
import { AppError, validationError, type FieldFailure } from '../../../kernel/errors.js'
import { amountDigitsProblem, fromBaseUnits, isAmount, roundHalfUp, toBaseUnits } from '../../../kernel/money.js'
import { memoize } from '../../../kernel/memoize.js'
import type { YieldDeps } from '../deps.js'
import { openAll } from './open-markets.js'
import type { ListedMarket, Market, ProviderName, YieldAsset } from '../providers/provider.js'

/** What moves into or out of one strategy. */
export interface MoveInput {
  provider: ProviderName
  /** A token symbol in any case, or a mint. */
  asset: string
  /** Who owns the money and signs; base58. */
  wallet: string
  /** In whole tokens; rounded half up to the token's decimals. */
  amount?: string | null
  chainName: string
}

/** The largest amount that a token account can hold. */
const MAX_UNITS = 2n ** 64n - 1n

const NOT_POSITIVE = 'must be a finite number above 0'

/** Why a chain's name is not acceptable; nothing where it is. */
export function checkChain({ chain }: Pick<YieldDeps, 'chain'>, chainName: string | undefined): FieldFailure[] {
  if (chainName === undefined || chainName === chain.name) return []
  return [{ field: 'chainName', message: 'is not a chain that strategies are on' }]
}

/** Why a wallet is not acceptable: it has to sign, so it is a key on the curve and no program's address. */
function checkWallet(wallet: string | undefined): FieldFailure[] {
  if (wallet === undefined || keyOf(wallet)) return []
  return [{ field: 'wallet', message: 'is not a Solana wallet that can sign' }]
}

/** Why an asset is not acceptable: no provider lends it. */
function checkAsset({ settings }: Pick<YieldDeps, 'settings'>, asset: string | undefined): FieldFailure[] {
  if (asset === undefined || settings.markets.some((market) => isNamed(market.asset, asset))) return []
  return [{ field: 'asset', message: 'is not a token that strategies are in' }]
}

/** Why chain, wallet or asset of a move are not acceptable. */
export function checkMove(
  deps: Pick<YieldDeps, 'chain' | 'settings'>,
  { chainName, wallet, asset }: Pick<MoveInput, 'chainName' | 'wallet' | 'asset'>,
): FieldFailure[] {
  return [...checkChain(deps, chainName), ...checkWallet(wallet), ...checkAsset(deps, asset)]
}

/** Why an amount is not acceptable: it has to be above zero, in what the token can express. */
export function checkAmount(
  deps: Pick<YieldDeps, 'settings'>,
  asset: string | undefined,
  amount: string | null | undefined,
): FieldFailure[] {
  if (amount === undefined || amount === null) return [{ field: 'amount', message: 'is required' }]
  const decimals = deps.settings.markets.find((market) => isNamed(market.asset, asset ?? ''))?.asset.decimals
  const message = unitsProblem(amount, decimals)
  return message === undefined ? [] : [{ field: 'amount', message }]
}

/** What is wrong with an amount, of a token with so many decimals where it is known. */
function unitsProblem(amount: string, decimals: number | undefined): string | undefined {
  if (!isAmount(amount)) return amountDigitsProblem(amount) ?? NOT_POSITIVE
  if (decimals === undefined) return undefined
  const units = unitsOf(amount, decimals)
  if (units <= 0n) return NOT_POSITIVE
  return units > MAX_UNITS ? `must be at most ${fromBaseUnits(MAX_UNITS, decimals)}` : undefined
}

/** As `checkAmount`, for a move that may be of everything instead: who says both has one of them by mistake, and money moves by it. */
export function checkAmountOrAll(
  deps: Pick<YieldDeps, 'settings'>,
  { asset, amount, all }: { asset: string; amount?: string | null; all?: boolean | null },
): FieldFailure[] {
  const isAbsent = amount === undefined || amount === null
  if (all === true) return isAbsent ? [] : [{ field: 'amount', message: 'must be left out where all is true' }]
  if (isAbsent) return [{ field: 'amount', message: 'is required, unless all is true' }]
  return checkAmount(deps, asset, amount)
}

/** An amount in base units, rounded half up. */
export function unitsOf(amount: string, decimals: number): bigint {
  return toBaseUnits(roundHalfUp(amount, decimals), decimals)
}

/** The wallet's key. @throws validation_error */
export function walletKey(wallet: string): PublicKey {
  const key = keyOf(wallet)
  if (!key) throw validationError(checkWallet(wallet))
  return key
}

/** What a move names. */
type NamedMarket = Pick<MoveInput, 'provider' | 'asset'>

/**
 * The markets that a move names, in their order.
 * @throws AppError strategy_disabled where the deployment has one switched off, validation_error where it has none,
 *   provider_unavailable, provider_timeout
 */
export async function marketsOf<Named extends readonly NamedMarket[]>(
  { settings, openMarkets }: Pick<YieldDeps, 'openMarkets' | 'settings'>,
  named: readonly [...Named],
): Promise<{ [Index in keyof Named]: Market }> {
  const listed = named.map((one) => enabledMarketOf(settings, one))
  return (await openAll(openMarkets, listed)) as { [Index in keyof Named]: Market }
}

/** The market of a provider in an asset. @throws AppError validation_error where the deployment has none */
export function listedMarketOf(settings: YieldDeps['settings'], { provider, asset }: NamedMarket): ListedMarket {
  const market = settings.markets.find(
    (candidate) => candidate.provider.name === provider && isNamed(candidate.asset, asset),
  )
  if (!market) throw validationError([{ field: 'asset', message: 'is not a token that this provider lends' }])
  return market
}

function enabledMarketOf(settings: YieldDeps['settings'], named: NamedMarket): ListedMarket {
  const market = listedMarketOf(settings, named)
  if (!market.isEnabled) throw new AppError('strategy_disabled')
  return market
}

/** Whether a text is an asset's symbol, in any case, or its mint. */
function isNamed({ symbol, mint }: YieldAsset, text: string): boolean {
  return symbol === text.toUpperCase() || addressText(mint) === text
}

/** Whether two texts name one asset; a text that names none is the same as itself only. */
export function meansSameAsset({ markets }: YieldDeps['settings'], one: string, other: string): boolean {
  return one === other || markets.some(({ asset }) => isNamed(asset, one) && isNamed(asset, other))
}

function keyOf(wallet: string): PublicKey | undefined {
  // The bound comes first because base58 decoding is quadratic.
  return wallet.length < 32 || wallet.length > 44 ? undefined : decodeWallet(wallet)
}

/** Checked first and used after it; to find whether a key is on the curve takes longer than the other checks. */
const decodeWallet = memoize(256, (wallet): PublicKey | undefined => {
  try {
    const key = new PublicKey(wallet)
    return key.toBase58() === wallet && isOnCurve(key.toBytes()) ? key : undefined
  } catch {
    return undefined
  }
})
