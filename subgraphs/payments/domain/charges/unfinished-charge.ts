import type { Transaction } from '../../../../kernel/database.js'
import { decimalsOf } from '../../../../kernel/money.js'
import type { EnabledChains } from '../../model/chain-access.js'
import type { StoredPayer } from '../../model/charge.js'
import type { Runtime } from '../../model/runtime.js'
import type { ChargeRail } from '../../rails/rail.js'
import { payoutTarget } from '../../settlement/plan-payout.js'
import type { Charge } from '../../store/charge.entity.js'
import type { Payment } from '../../store/payment.entity.js'
import type { Quote } from '../../store/quotes.js'
import type { Stores } from '../../store/stores.js'

/** A reservation of an attempt that died is gone on with as long as the payer would have this long to pay. */
const LIFE_MIN_MS = 60_000

/** What looking for an unfinished charge needs. */
export type UnfinishedChargeDeps = EnabledChains & Pick<Runtime, 'clock'> & Pick<Stores, 'charges' | 'quotes'>

/**
 * The charge of an attempt of the same payer that ended before it was handed out, as by a crash or an answer that was lost, where another
 * attempt can go on with it. Its amount was quoted in the units of the token on the chain that was named then: where the token of the chain
 * that is named now has fewer, the amount could never be paid out, and the payer is charged afresh.
 * @param request.payerChain the chain that the payer names now
 */
export async function findUnfinishedCharge(
  deps: UnfinishedChargeDeps,
  em: Transaction,
  payment: Payment,
  { rail, payer, payerChain }: { rail: ChargeRail; payer: StoredPayer; payerChain: string | null | undefined },
): Promise<{ charge: Charge; quote: Quote } | undefined> {
  const charge = await deps.charges.newestOf(em, payment)
  if (charge?.state !== 'creating' || charge.payerHash !== payer.hash || charge.rail !== rail.name) return undefined
  if (charge.expiresAt.getTime() - deps.clock.now().getTime() <= LIFE_MIN_MS) return undefined
  const quote = await deps.quotes.findIn(em, payment.tenantId, charge.quoteId ?? '')
  if (!quote) return undefined
  const { asset } = payoutTarget(deps, payment, payerChain)
  return decimalsOf(quote.amountTo) <= asset.decimals ? { charge, quote } : undefined
}
