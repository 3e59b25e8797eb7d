import type { CardOnFile, StoredPayer } from '../model/charge.js'
import type { TransactionType } from '../model/transaction-type.js'
import { chargeRailOf, type Rails } from '../rails/find-rail.js'
import type { ChargeRail } from '../rails/rail.js'
import type { Payment } from '../store/payment.entity.js'
import type { Stores } from '../store/stores.js'
import type { Subscription } from '../store/subscription.entity.js'

/** What finding a card on file needs. */
export type CardOnFileDeps = Rails & Pick<Stores, 'charges' | 'payments'>

/** A card that can be charged without its payer. */
export interface ChargeableCard {
  rail: ChargeRail
  transactionType: TransactionType
  card: CardOnFile
  payer: StoredPayer
  /** The payment that it paid. */
  payment: Payment
}

/** The card by which a subscription was paid; undefined where it was paid otherwise, or the rail is not in use any more. */
export async function findCardOnFile(
  deps: CardOnFileDeps,
  { tenantId, meansPaymentId }: Subscription,
): Promise<ChargeableCard | undefined> {
  const payment = await deps.payments.find(tenantId, meansPaymentId)
  if (!payment?.chargeId || !payment.transactionType) return undefined
  const charge = await deps.charges.find(tenantId, payment.chargeId)
  const rail = charge && chargeRailOf(deps, charge.rail)
  if (!charge?.cardOnFile || !rail) return undefined
  const payer = { masked: charge.payerMasked, hash: charge.payerHash }
  return { rail, transactionType: payment.transactionType, card: charge.cardOnFile, payer, payment }
}
