import type { Transaction } from '../../../../kernel/database.js'
import { sum, toBaseUnits } from '../../../../kernel/money.js'
import { WATCH_MS } from '../../model/payment-address.js'
import type { Payment } from '../../store/payment.entity.js'
import type { RecordedChange } from '../../store/payment-changes.js'
import type { Stores } from '../../store/stores.js'
import { alertJob } from '../../settlement/alert-job.js'
import { bookHeld, type BookHeldDeps } from '../deposits/book-held.js'
import { bookShares, type BookWalletPaymentDeps } from './book-wallet-payment.js'
import type { SignedVersion } from './signed-version.js'

/** What recording a second payment needs. */
export type PaidTwiceDeps = BookWalletPaymentDeps &
  BookHeldDeps &
  Pick<Stores, 'addJob' | 'addresses' | 'alerts' | 'charges' | 'payments' | 'quotes'>

/** The clock of a chain may be ahead of ours, and a block come between the price of an address and the look at what lies there. */
const CLOCKS_MS = 60_000

/**
 * What was done about a wallet's transaction that its payment does not take. `recorded`: it is booked and told; `not_paid`: it
 * moved nothing; `open`: neither can be said yet.
 */
export type PaidTwice = 'recorded' | 'not_paid' | 'open'

/**
 * Writes down, once, that a wallet has paid a payment that another attempt had paid: what its receivers have got besides is
 * booked and shows in the tenant's statement, what lies at the address of the payment's split goes into suspense, and an
 * operator is told. Nothing is shared out.
 * @throws AppError confirm_rpc_unavailable
 */
export async function recordPaidTwice(
  deps: PaidTwiceDeps,
  payment: Payment,
  version: SignedVersion,
): Promise<PaidTwice> {
  const then: Payment = { ...payment, splitVersion: null, ...version.change, signedTransaction: version.raw }
  const fate = await version.onChain.retrieve(then, version, 0)
  if (fate.kind === 'failed') return 'not_paid'
  if (fate.kind !== 'paid') return 'open'
  const kind = version.onChain.settlementOf(then).kind
  const minedAt = kind === 'split' ? await version.onChain.minedAt(version.chainName, version) : undefined
  const second = { then, hash: fate.hash, kind, minedAt }
  const seen = { isPaidOtherwise: false, isUnread: false }
  await deps.payments.change(payment.tenantId, payment.id, async (locked, em) => {
    seen.isPaidOtherwise = locked.signedTransaction !== version.raw && (await isPaid(deps, em, locked))
    if (!seen.isPaidOtherwise) return undefined
    const place = second.kind === 'split' ? await placeOf(deps, em, second) : 'receivers'
    seen.isUnread = place === 'unread'
    return place === 'unread' || place === 'counted' ? undefined : record(deps, em, locked, second)
  })
  if (seen.isUnread) return 'open'
  if (seen.isPaidOtherwise) return 'recorded'
  await tellLate(deps, payment, version)
  return 'open'
}

interface SecondPayment {
  /** The payment as it was when the transaction was built. */
  then: Payment
  hash: string
  kind: 'done' | 'split' | 'route'
  /** Of a split's: when its block was made. */
  minedAt: Date | undefined
}

async function isPaid({ charges }: PaidTwiceDeps, em: Transaction, payment: Payment): Promise<boolean> {
  if (payment.status === 'success') return true
  return payment.status === 'pending' && (await charges.acceptedOf(em, payment)) !== undefined
}

async function record(
  deps: PaidTwiceDeps,
  em: Transaction,
  payment: Payment,
  { then, hash, kind }: SecondPayment,
): Promise<RecordedChange | undefined> {
  const alert = { kind: 'paid_twice', subject: payment.id, details: `${hash} was mined as well` } as const
  const amount = then.amountTo ?? '0'
  const about = { tenantId: payment.tenantId, paymentId: payment.id }
  // What a bridge brings is known at its other end alone: a person has to look there.
  if (kind === 'route') {
    await deps.addJob(em, alertJob({ ...alert, details: `${hash} was mined as well; a bridge brings what it paid` }))
    return undefined
  }
  if (kind === 'split') {
    const money = { amount, currency: payment.toCurrencySymbol }
    if (!(await bookHeld(deps, em, payment, { chainName: then.chainName ?? '', hash, money, alert }))) return undefined
  } else {
    if (await deps.ledger.isBooked(em, { ...about, entry: `wallet:paid:${hash}` })) return undefined
    await bookShares(deps, em, { ...then, status: payment.status }, { amountTo: amount, suffix: `:${hash}` })
    await deps.addJob(em, alertJob(alert))
  }
  const change = { overpaidAmount: sum([payment.overpaidAmount ?? '0', amount]) }
  return { change, cause: 'paid_twice', notify: true }
}

/**
 * Where what a wallet has sent to the address of a split is. `counted`: the payment's payer was shown the address too, and whatever comes
 * there while it is watched, or was found there, is counted where deposits are, as the payment itself, as more than was asked for, or as held;
 * `unread`: nobody knows yet whether that block is read for it, as its watch is over, or whether it lay there before the watch; `held`: nobody counts it, as that of a block before the address was opened.
 */
async function placeOf(
  { addresses, clock }: PaidTwiceDeps,
  em: Transaction,
  { then, hash, minedAt }: SecondPayment,
): Promise<'counted' | 'unread' | 'held'> {
  const { tenantId, id: paymentId, chainName, splitVersion } = then
  const shown = await addresses.load(em, { tenantId, paymentId, chainName: chainName ?? '' })
  if (!shown || shown.address.splitVersion !== splitVersion) return 'held'
  const { lastReadBlock, lookBackAt, watchUntil, laidBefore, decimals } = shown.address
  if (shown.deposits.some((deposit) => deposit.hash === hash.toLowerCase())) return 'counted'
  if (lastReadBlock !== null) return 'held'
  const openedMs = watchUntil.getTime() - WATCH_MS
  if (minedAt !== undefined && minedAt.getTime() < openedMs + CLOCKS_MS) {
    if (lookBackAt !== null) return 'unread'
    if (laidBefore >= toBaseUnits(then.amountTo ?? '0', decimals)) return 'held'
  }
  return watchUntil <= clock.now() ? 'unread' : 'counted'
}

/** A price that had run out: the receivers have the money, and the payment waits for its payer all the same. */
async function tellLate(
  { alerts, quotes }: PaidTwiceDeps,
  { tenantId, id }: Payment,
  version: SignedVersion,
): Promise<void> {
  const quote = version.quoteId ? await quotes.find(tenantId, version.quoteId) : undefined
  const minedAt = await version.onChain.minedAt(version.chainName, version)
  if (!quote || !minedAt || minedAt < quote.expiresAt) return
  const details = `${version.hash} has paid the receivers after its price had run out, and does not count`
  await alerts.raiseOnce({ kind: 'deposit_unexpected', subject: id, details })
}
