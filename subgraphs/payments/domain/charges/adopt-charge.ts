import { AppError } from '../../../../kernel/errors.js'
import { takesNoMoney } from '../../model/attempt-rules.js'
import type { ChargeView } from '../../model/charge.js'
import type { TransactionType } from '../../model/transaction-type.js'
import type { ChargeRail } from '../../rails/rail.js'
import type { Charge } from '../../store/charge.entity.js'
import type { Payment } from '../../store/payment.entity.js'
import { addCharge, pendingChange, type CreateChargeDeps } from './new-charge.js'
import { priceCharge, type PricedCharge } from './price-charge.js'
import { UNMATCHED } from './record-unmatched.js'

/** Of a charge whose provider does not say whom it was made for. */
const UNKNOWN_PAYER = { masked: '', hash: '' }

/**
 * Writes a charge down that the provider has been paid for and that nobody here knows, where its reference names a payment of ours: the
 * database has lost it as it went back to a backup. Its receivers get what the money is worth now. Where the payment waits for something
 * else, or takes no money any more, what came is given back as of any charge that was replaced. The caller syncs it.
 * @returns undefined where the reference names no payment of ours, it cannot be priced as it was, or an operator has explained the money
 * @throws ProviderError; AppError provider_unavailable, provider_timeout where no price is to be had now
 */
export async function adoptCharge(
  deps: CreateChargeDeps,
  rail: ChargeRail,
  reference: string,
): Promise<Charge | undefined> {
  const { adapter } = rail
  const lost = adapter.attemptOf?.(reference)
  const payment = lost && (await deps.payments.findOfAnyTenant(lost.paymentId))
  const transactionType = payment && typeOf(rail, payment)
  // What another currency was charged as, at a price of then, is not known.
  if (!lost || !payment || !transactionType || payment.fromCurrencySymbol !== adapter.currency) return undefined
  const view = await adapter.retrieve(reference)
  if (!view || (await isExplained(deps, rail, view))) return undefined
  const priced = view.status === 'paid' ? await priceIfPayable(deps, rail, payment) : undefined
  const { expiresAt } = view
  if (!priced || !expiresAt) return undefined
  let charge: Charge | undefined
  await deps.payments.change(payment.tenantId, payment.id, async (locked, em) => {
    const attempt = { reference, attempt: lost.attempt }
    const state = 'open'
    charge = await addCharge(deps, em, {
      payment: locked,
      rail,
      state,
      payer: view.payer ?? UNKNOWN_PAYER,
      ...priced,
      expiresAt,
      lost: attempt,
    })
    if (!isFree(locked)) return undefined
    const { payerEmail = null, payerWallet = null, chainName = null } = locked
    const input = { paymentId: locked.id, transactionType, payerEmail: payerEmail ?? '', payerWallet, chainName }
    const change = { ...pendingChange(charge, input, locked.toChain), payerEmail, amountTo: priced.quote.amountTo }
    return { change, cause: 'transaction_created', notify: true }
  })
  deps.log.warn({ paymentId: payment.id, reference }, 'a charge that was paid was not in the database')
  return charge
}

/** As what a payment may be paid on a rail; undefined where it may not. */
function typeOf({ types }: ChargeRail, { paymentMethodAllowed }: Payment): TransactionType | undefined {
  const found = Object.entries(types).find(
    ([, { method, settlesInFiat }]) => !settlesInFiat && paymentMethodAllowed[method],
  )
  return found?.[0] as TransactionType | undefined
}

/** Whether a person has said whose the money is while it stood in suspense: it may be back with its payer by other ways since. */
function isExplained(deps: CreateChargeDeps, { name }: ChargeRail, { receivedPayments }: ChargeView): Promise<boolean> {
  return deps.ledger.transaction(async (em) => {
    for (const { id } of receivedPayments)
      if ((await deps.differences.explained(em, UNMATCHED, `${name}:${id}`)) !== '0') return true
    return false
  })
}

async function priceIfPayable(
  deps: CreateChargeDeps,
  rail: ChargeRail,
  payment: Payment,
): Promise<PricedCharge | undefined> {
  try {
    return await priceCharge(deps, rail, payment, payment.chainName)
  } catch (error) {
    if (error instanceof AppError && error.code === 'validation_error') return undefined
    throw error
  }
}

/** Whether a payment waits for nothing and may be paid. */
function isFree(payment: Payment): boolean {
  const isOpen = payment.status === 'registered' || payment.status === 'error' || payment.status === 'reproved'
  return isOpen && !takesNoMoney(payment) && !payment.receivedAmount
}
