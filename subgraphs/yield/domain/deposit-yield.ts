import { associatedTokenAddress } from '../../../chains/solana/token.js'
import { AppError, validationError, type FieldFailure } from '../../../kernel/errors.js'
import { fromBaseUnits } from '../../../kernel/money.js'
import type { Tenant } from '../../../kernel/tenant.js'
import { assertPaysFee } from './assert-pays-fee.js'
import { buildContext, draftOf, finishDraft, type BuildDeps, type BuiltTransaction } from './build-transaction.js'
import { checkAmount, checkMove, marketsOf, unitsOf, walletKey, type MoveInput } from './check-move.js'
import { readTogether } from './read-markets.js'
import { createIfMissing, holdingOf, unwrapSol, wrapSol } from './token-holding.js'

/** A transaction that deposits, and what this service takes for it. */
export interface BuiltDeposit extends BuiltTransaction {
  chargedFeeAmount: string
  feePercentageApplied: string
}

/** The transaction moves the whole amount into the strategy: it has no instruction that pays anybody else. */
const NO_FEE = { chargedFeeAmount: '0', feePercentageApplied: '0' }

const LEAVES_TOO_LITTLE: FieldFailure = { field: 'amount', message: 'leaves the wallet too little SOL for the fee' }

/**
 * Builds the unsigned transaction that deposits a wallet's tokens into a strategy; only the wallet has to sign. It has run
 * without error on the present state, and its fee is paid for.
 * @throws AppError validation_error, strategy_disabled, broadcast_simulation_failed, rebalance_transaction_too_large,
 *   provider_unavailable, provider_timeout
 */
export async function depositYield(deps: BuildDeps, tenant: Tenant, input: MoveInput): Promise<BuiltDeposit> {
  const failures = [...checkMove(deps, input), ...checkAmount(deps, input.asset, input.amount)]
  if (failures.length > 0) throw validationError(failures)
  return { ...(await deps.once(tenant, () => build(deps, input))), ...NO_FEE }
}

async function build(deps: BuildDeps, input: MoveInput): Promise<BuiltTransaction> {
  const [market] = await marketsOf(deps, [input])
  const { asset, addresses } = market
  const wallet = walletKey(input.wallet)
  const amount = unitsOf(input.amount ?? '', asset.decimals)
  const [read, context] = await Promise.all([
    readTogether(deps, [market], [
      wallet,
      associatedTokenAddress(wallet, asset.mint),
      associatedTokenAddress(wallet, addresses.shareMint),
    ]), // prettier-ignore
    buildContext(deps, wallet),
  ])
  const [state] = read.states
  if (!state?.figures.isOpen) throw new AppError('strategy_disabled')
  const [walletAccount, tokenAccount, shareAccount] = read.accounts
  const tokens = holdingOf(wallet, asset.mint, tokenAccount)
  const shares = holdingOf(wallet, addresses.shareMint, shareAccount)
  const lamports = BigInt(walletAccount?.lamports ?? 0)
  const available = asset.isNative ? lamports + tokens.amount : tokens.amount
  if (available < amount) {
    const held = `${fromBaseUnits(available, asset.decimals)} ${asset.symbol}`
    throw validationError([{ field: 'amount', message: `is more than the wallet holds (${held})` }])
  }
  const leg = state.depositLeg(wallet, amount)
  // What is wrapped goes in first: it pays neither fees nor rent, and a withdrawal may have left it.
  const wrapped = asset.isNative && tokens.amount < amount ? amount - tokens.amount : 0n
  const instructions = asset.isNative
    ? [
        ...createIfMissing(tokens),
        ...(wrapped > 0n ? wrapSol(tokens, wrapped) : []),
        ...createIfMissing(shares),
        ...leg,
        // An account that was made for this transaction gives its rent back.
        ...(tokens.exists ? [] : [unwrapSol(tokens)]),
      ]
    : [...createIfMissing(shares), ...leg]
  const draft = draftOf(instructions, context)
  if (!draft) throw new AppError('rebalance_transaction_too_large')
  const built = await finishDraft(deps, draft, context)
  await assertPaysFee(deps, built, lamports - wrapped, wrapped > 0n ? LEAVES_TOO_LITTLE : undefined)
  return built
}
