import { associatedTokenAddress } from '../../../chains/solana/token.js'
import { AppError, validationError, type FieldFailure } from '../../../kernel/errors.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { Market, MarketState, ProviderName } from '../providers/provider.js'
import {
  buildContext,
  draftOf,
  finishDraft,
  type BuildContext,
  type BuildDeps,
  type BuiltTransaction,
} from './build-transaction.js'
import { checkAmountOrAll, checkMove, marketsOf, meansSameAsset, unitsOf, walletKey } from './check-move.js'
import { assertPaysBoth, assertPaysFee } from './assert-pays-fee.js'
import { outflowOf, type Outflow } from './position.js'
import { readTogether } from './read-markets.js'
import type { WithdrawInput } from './withdraw-yield.js'
import { createIfMissing, holdingOf, unwrapSol, type Holding } from './token-holding.js'

export interface RebalanceInput extends Omit<WithdrawInput, 'provider'> {
  /** Both legs with the same provider; otherwise the two below. */
  provider?: ProviderName | null
  providerOut?: ProviderName | null
  providerIn?: ProviderName | null
  /** Other names of `asset`. */
  symbol?: string | null
  tokenMint?: string | null
  mint?: string | null
}

/** A rebalance in one transaction, or in two to be sent in this order. */
export type Rebalance =
  | { mode: 'single_transaction'; transaction: BuiltTransaction }
  | { mode: 'two_transaction'; withdraw: BuiltTransaction; deposit: BuiltTransaction }

/**
 * Builds what moves a wallet's money from one strategy into another of the same token: one transaction where both legs fit
 * into a packet, otherwise one for each; only the wallet has to sign. The fees of all are paid for.
 * @throws AppError validation_error, strategy_disabled, insufficient_position, rebalance_transaction_too_large,
 *   broadcast_simulation_failed, provider_unavailable, provider_timeout
 */
export function rebalanceYield(deps: BuildDeps, tenant: Tenant, input: RebalanceInput): Promise<Rebalance> {
  const legs = legsOf(input)
  const failures = [
    ...(legs ? [] : [PROVIDERS_MISSING]),
    ...checkMove(deps, input),
    ...checkOtherNames(deps, input),
    ...checkAmountOrAll(deps, input),
  ]
  if (!legs || failures.length > 0) throw validationError(failures)
  return deps.once(tenant, () => build(deps, input, legs))
}

const PROVIDERS_MISSING: FieldFailure = {
  field: 'provider',
  message: 'is required, or a provider for each of both legs',
}

/** Why names of the token beside `asset` are not acceptable: they mean another one. */
function checkOtherNames(
  { settings }: Pick<BuildDeps, 'settings'>,
  { asset, symbol, tokenMint, mint }: RebalanceInput,
): FieldFailure[] {
  return Object.entries({ symbol, tokenMint, mint })
    .filter(([, name]) => name != null && !meansSameAsset(settings, asset, name))
    .map(([field]) => ({ field, message: 'names another token than the body does besides' }))
}

function legsOf({ provider, providerOut, providerIn }: RebalanceInput): Legs | undefined {
  if (providerOut && providerIn) return { out: providerOut, in: providerIn }
  return provider && !providerOut && !providerIn ? { out: provider, in: provider } : undefined
}

interface Legs {
  out: ProviderName
  in: ProviderName
}

/** Everything that the two legs are made of. */
interface Parts {
  source: Market
  target: Market
  sourceState: MarketState
  targetState: MarketState
  /** What the wallet has, for fees and rent. */
  lamports: bigint
  /** The wallet's accounts of the asset, and of the target's shares. */
  tokens: Holding
  targetShares: Holding
  outflow: Outflow
}

async function build(deps: BuildDeps, input: RebalanceInput, legs: Legs): Promise<Rebalance> {
  const wallet = walletKey(input.wallet)
  const { asset: name } = input
  const [source, target] = await marketsOf(deps, [
    { provider: legs.out, asset: name },
    { provider: legs.in, asset: name },
  ])
  const { asset } = source
  const [read, context] = await Promise.all([
    readTogether(deps, [source, target], [
      wallet,
      associatedTokenAddress(wallet, asset.mint),
      associatedTokenAddress(wallet, source.addresses.shareMint),
      associatedTokenAddress(wallet, target.addresses.shareMint),
    ]), // prettier-ignore
    buildContext(deps, wallet),
  ])
  const [sourceState, targetState] = read.states
  if (!sourceState || !targetState) throw new Error('a market was not read')
  if (!targetState.figures.isOpen) throw new AppError('strategy_disabled')
  const [walletAccount, tokenAccount, sourceAccount, targetAccount] = read.accounts
  const wanted = input.all === true ? 'all' : unitsOf(input.amount ?? '', asset.decimals)
  const sourceShares = holdingOf(wallet, source.addresses.shareMint, sourceAccount)
  const parts: Parts = {
    source,
    target,
    sourceState,
    targetState,
    lamports: BigInt(walletAccount?.lamports ?? 0),
    tokens: holdingOf(wallet, asset.mint, tokenAccount),
    targetShares: holdingOf(wallet, target.addresses.shareMint, targetAccount),
    outflow: outflowOf(source, sourceState, sourceShares, wanted),
  }
  return (await buildSingle(deps, parts, context)) ?? buildTwo(deps, parts, context)
}

/** Both legs in one transaction; undefined where they do not fit. */
async function buildSingle(deps: BuildDeps, parts: Parts, context: BuildContext): Promise<Rebalance | undefined> {
  const { tokens, targetShares } = parts
  const draft = draftOf(
    [
      ...createIfMissing(tokens),
      ...createIfMissing(targetShares),
      ...withdrawLeg(parts),
      ...depositLeg(parts),
      ...closeIfOurs(parts),
    ],
    context,
  )
  if (!draft) return undefined
  const transaction = await finishDraft(deps, draft, context)
  await assertPaysFee(deps, transaction, parts.lamports)
  return { mode: 'single_transaction', transaction }
}

/** A transaction for each leg. The second can run to its end only once the first has brought the money. */
async function buildTwo(deps: BuildDeps, parts: Parts, context: BuildContext): Promise<Rebalance> {
  const { tokens, targetShares, outflow } = parts
  const withdraw = draftOf([...createIfMissing(tokens), ...withdrawLeg(parts)], context)
  const deposit = draftOf(
    [...createIfMissing(tokens), ...createIfMissing(targetShares), ...depositLeg(parts), ...closeIfOurs(parts)],
    context,
  )
  if (!withdraw || !deposit) throw new AppError('rebalance_transaction_too_large')
  const [first, second] = await Promise.all([
    finishDraft(deps, withdraw, context),
    finishDraft(deps, deposit, context, { mayLackFunds: tokens.amount < outflow.amount }),
  ])
  await assertPaysFee(deps, first, parts.lamports)
  assertPaysBoth([first, second], parts.lamports, [tokens, targetShares])
  return { mode: 'two_transaction', withdraw: first, deposit: second }
}

function withdrawLeg({ sourceState, tokens, outflow }: Parts) {
  return sourceState.withdrawLeg(tokens.wallet, outflow.withdrawal)
}

/**
 * What a protocol may pay less than asked for: it rounds down at the moment of the block, which a slot later is another
 * number. In base units.
 */
const SHORTFALL = 1n

/** What comes out goes in; where the wallet holds nothing that could make up for a shortfall, a unit less. */
function depositLeg({ targetState, tokens, outflow: { amount } }: Parts) {
  const isCovered = tokens.amount >= SHORTFALL || amount <= SHORTFALL
  return targetState.depositLeg(tokens.wallet, isCovered ? amount : amount - SHORTFALL)
}

/** An account of wrapped SOL that was made on the way gives its rent, and what is left over, back. */
function closeIfOurs({ source, tokens }: Parts) {
  return source.asset.isNative && !tokens.exists ? [unwrapSol(tokens)] : []
}
