import { associatedTokenAddress } from '../../../chains/solana/token.js'
import { AppError, validationError } from '../../../kernel/errors.js'
import type { Tenant } from '../../../kernel/tenant.js'
import { assertPaysFee } from './assert-pays-fee.js'
import { buildContext, draftOf, finishDraft, type BuildDeps, type BuiltTransaction } from './build-transaction.js'
import { checkAmountOrAll, checkMove, marketsOf, unitsOf, walletKey, type MoveInput } from './check-move.js'
import { outflowOf } from './position.js'
import { readTogether } from './read-markets.js'
import { createIfMissing, holdingOf, unwrapSol } from './token-holding.js'

export interface WithdrawInput extends MoveInput {
  /** Everything that the position is worth when the transaction runs, instead of an amount. */
  all?: boolean | null
}

/**
 * Builds the unsigned transaction that withdraws from a strategy into the wallet's own token account; only the wallet has
 * to sign. It has run without error on the present state, and its fee is paid for.
 * @throws AppError validation_error, strategy_disabled, insufficient_position, broadcast_simulation_failed,
 *   rebalance_transaction_too_large, provider_unavailable, provider_timeout
 */
export function withdrawYield(deps: BuildDeps, tenant: Tenant, input: WithdrawInput): Promise<BuiltTransaction> {
  const failures = [...checkMove(deps, input), ...checkAmountOrAll(deps, input)]
  if (failures.length > 0) throw validationError(failures)
  return deps.once(tenant, () => build(deps, input))
}

async function build(deps: BuildDeps, input: WithdrawInput): Promise<BuiltTransaction> {
  const [market] = await marketsOf(deps, [input])
  const { asset, addresses } = market
  const wallet = walletKey(input.wallet)
  const [read, context] = await Promise.all([
    readTogether(deps, [market], [
      wallet,
      associatedTokenAddress(wallet, asset.mint),
      associatedTokenAddress(wallet, addresses.shareMint),
    ]), // prettier-ignore
    buildContext(deps, wallet),
  ])
  const [state] = read.states
  if (!state) throw new Error('a market was not read')
  const [walletAccount, tokenAccount, shareAccount] = read.accounts
  const tokens = holdingOf(wallet, asset.mint, tokenAccount)
  const shares = holdingOf(wallet, addresses.shareMint, shareAccount)
  const wanted = input.all === true ? 'all' : unitsOf(input.amount ?? '', asset.decimals)
  const { withdrawal } = outflowOf(market, state, shares, wanted)
  const draft = draftOf(
    [
      ...createIfMissing(tokens),
      ...state.withdrawLeg(wallet, withdrawal),
      // What the wallet keeps wrapped stays so, and this with it: an account is unwrapped as a whole.
      ...(asset.isNative && tokens.isOursToClose ? [unwrapSol(tokens)] : []),
    ],
    context,
  )
  if (!draft) throw new AppError('rebalance_transaction_too_large')
  const built = await finishDraft(deps, draft, context)
  await assertPaysFee(deps, built, BigInt(walletAccount?.lamports ?? 0))
  return built
}
