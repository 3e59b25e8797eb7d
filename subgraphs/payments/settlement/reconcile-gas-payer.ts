import type { EvmChain } from '../../../chains/chain.js'
import { GAS_PAYER_PLACE, gasPayerOpeningEntry, HOUSE } from '../model/house-entries.js'
import { amountOf, unitsOf } from '../model/signed-amount.js'
import type { AuditDeps } from './audited-treasury.js'
import type { FinalGasPayer, GasPayerAudit } from './gas-payer-audit.js'
import { reportDifference } from './report-difference.js'

/** What comparing the gas payer with a chain needs. */
export type ReconcileGasPayerDeps = AuditDeps & { gasPayerAudit: GasPayerAudit }

/**
 * Compares what the gas payer holds of a chain's coin with the ledger, at a final block of which all its gas is booked. The
 * first time books what it holds as the owner's. While a transaction is in a final block and not booked yet nothing is compared.
 * @throws AppError confirm_rpc_unavailable
 */
export async function reconcileGasPayer(deps: ReconcileGasPayerDeps, chain: EvmChain): Promise<void> {
  const { treasuryBooks, clock, gasPayerAudit } = deps
  const begunAt = clock.now()
  const scope = `gas-payer:${chain.name}`
  const { firstBlock } = await treasuryBooks.start(scope, begunAt)
  const final = await gasPayerAudit.readFinal(chain)
  if (!final) return treasuryBooks.end(scope, clock.now(), { skipped: 'no block is final yet' })
  const expected = await bookedAt(deps, chain, final)
  if (expected === undefined) {
    return treasuryBooks.end(scope, clock.now(), { skipped: 'what it has spent is not booked yet' })
  }
  if (firstBlock === null) await bookOpening(deps, chain, { expected, actual: final.balance })
  else await compareBalance(deps, chain, { expected, final, begunAt })
  await treasuryBooks.end(scope, clock.now(), { block: final.block })
}

/** What the ledger says that it held at the block; undefined where its gas up to there is not booked, or more is. */
async function bookedAt(
  { treasuryBooks, ledger, gasPayerAudit }: ReconcileGasPayerDeps,
  { name: chainName, nativeCoin }: EvmChain,
  { block, used }: FinalGasPayer,
): Promise<string | undefined> {
  const of = { chainName, account: gasPayerAudit.account }
  if (!(await treasuryBooks.isGasBooked(of, used))) return undefined
  const account = `gas-payer:${chainName}`
  const held = (await ledger.balances()).find((one) => one.account === account && one.currency === nativeCoin.symbol)
  const above = await treasuryBooks.ownersAbove(chainName, account, block)
  // What was booked between the two reads would be in one of them only.
  if (!(await treasuryBooks.isGasBooked(of, used))) return undefined
  const units = above.reduce((sum, { amount }) => sum - unitsOf(amount), unitsOf(held?.balance ?? '0'))
  return amountOf(units)
}

async function bookOpening(
  { ledger, clock }: ReconcileGasPayerDeps,
  chain: EvmChain,
  { expected, actual }: { expected: string; actual: string },
): Promise<void> {
  const amount = amountOf(unitsOf(actual) - unitsOf(expected))
  if (amount === '0') return
  const entry = gasPayerOpeningEntry(chain.name, { amount, currency: chain.nativeCoin.symbol })
  await ledger.bookOnce({ ...HOUSE, at: clock.now() }, entry)
}

async function compareBalance(
  deps: ReconcileGasPayerDeps,
  chain: EvmChain,
  { expected, final, begunAt }: { expected: string; final: FinalGasPayer; begunAt: Date },
): Promise<void> {
  const scope = `balance:gas-payer:${chain.name}`
  const { symbol: currency } = chain.nativeCoin
  if (expected !== final.balance) {
    const details = `what the gas payer held at block ${final.block}`
    const subject = `${chain.name}:${currency}:${GAS_PAYER_PLACE}`
    const found = { kind: 'wrong_balance', expected, actual: final.balance, currency, details } as const
    await reportDifference(deps, { ...found, subject, scope })
  }
  await deps.differences.closeUnseen(scope, begunAt)
}
