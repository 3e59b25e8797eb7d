import type { Transaction } from '../../../../kernel/database.js'
import { divide, multiply, roundHalfUp, sum } from '../../../../kernel/money.js'
import { payableFeeEntry } from '../../model/ledger-entries.js'
import type { Runtime } from '../../model/runtime.js'
import { amountOf, unitsOf } from '../../model/signed-amount.js'
import type { ChargeRail } from '../../rails/rail.js'
import { reportDifference, reportIn, type ReportDifferenceDeps } from '../../settlement/report-difference.js'
import type { Charge } from '../../store/charge.entity.js'
import type { GoneBack, Payable } from '../../store/payables.js'
import type { Stores } from '../../store/stores.js'
import { isSharedByProvider } from '../charges/application.js'
import type { SyncChargeDeps } from '../charges/sync-charge.js'
import { inBatches } from './in-batches.js'
import type { LookUps } from './look-ups.js'
import { takeOverCharge } from './take-over-charge.js'

/** What booking a provider's fees needs. */
export type SyncFeesDeps = ReportDifferenceDeps &
  SyncChargeDeps &
  Pick<Runtime, 'clock' | 'log'> &
  Pick<Stores, 'charges' | 'ledger' | 'payables' | 'payments'>

/** So many are compared with what is known by one statement. */
const AT_ONCE = 100
const HALF_A_CENT = '0.005'

/**
 * Books what a provider says in a list that it keeps of received payments: each payable once, however often it is listed, and what its
 * fee changes by later. Charges that are not ours, or not known yet, are left for the next list. A charge of which more or less went
 * back than is booked is looked at.
 * @param lookUps ends by what single charges could not be looked at for
 * @throws ProviderError
 */
export async function syncFees(
  deps: SyncFeesDeps,
  rail: ChargeRail,
  window: { from: Date; to: Date },
  lookUps: LookUps,
): Promise<void> {
  const listed = rail.adapter.listPayables?.(window)
  if (!listed) return
  for await (const some of inBatches(listed, AT_ONCE)) {
    await takeOver(deps, rail, some)
    await lookAtGoneBack({ deps, rail, lookUps }, some)
  }
}

async function takeOver(deps: SyncFeesDeps, rail: ChargeRail, listed: readonly Payable[]): Promise<void> {
  if (listed.length === 0) return
  const known = await deps.payables.known(
    rail.name,
    listed.map(({ id }) => id),
  )
  for (const payable of listed) {
    if (known.get(payable.id) === payable.fee) continue
    const charge = await deps.charges.findByReceivedPayment(rail.name, payable.receiptId)
    if (charge) await recordPayable(deps, rail, charge, payable)
    else deps.log.warn({ rail: rail.name, payable: payable.id }, 'a fee is of no charge that is booked here')
  }
}

/**
 * A chargeback that was won is told by no callback, and the list of orders leaves it out: this list alone names it, however old its order
 * is. What is kept is compared with the books, known or not, so that a look that failed, or that the provider answered by what it showed
 * before, is made again by the next list, and none is made for what is booked.
 */
async function lookAtGoneBack(
  look: { deps: SyncFeesDeps; rail: ChargeRail; lookUps: LookUps },
  listed: readonly Payable[],
): Promise<void> {
  const { deps, rail } = look
  const receiptIds = new Set(listed.filter(({ type }) => type !== 'credit').map(({ receiptId }) => receiptId))
  if (receiptIds.size === 0) return
  const open = await deps.differences.openOf(scopeOf(rail))
  for (const before of await deps.payables.goneBack(rail.name, [...receiptIds])) {
    const { receiptId } = before
    // Most add up, and nothing was told of them: a night's list is long.
    if (isAsBooked(before) && ![...open].some((subject) => subject.endsWith(`:${receiptId}`))) continue
    const charge = await deps.charges.findByReceivedPayment(rail.name, receiptId)
    if (!charge) continue
    if (!isAsBooked(before)) await takeOverCharge(look, charge)
    const [after = before] = isAsBooked(before) ? [] : await deps.payables.goneBack(rail.name, [receiptId])
    await tellGoneBack(deps, rail, { charge, goneBack: after, open })
  }
}

const scopeOf = ({ name }: ChargeRail): string => `fees:${name}`

const isAsBooked = ({ gone, booked }: GoneBack): boolean => unitsOf(gone) === unitsOf(booked)

/** So long one of the charge and the list may show what went back later than the other does. */
const SHOWN_WITHIN_MS = 3 * 24 * 3_600_000

const DETAILS = {
  unbooked_refund: 'the list of payables says so, and the charge itself does not show it',
  missing_refund: 'it is booked as the charge has shown it, and the list of payables does not say so',
}

/** What the charge itself does not show for days, nobody would ever learn of: the charge is what is booked by. */
async function tellGoneBack(
  deps: SyncFeesDeps,
  rail: ChargeRail,
  { charge, goneBack, open }: { charge: Charge; goneBack: GoneBack; open: ReadonlySet<string> },
): Promise<void> {
  const { reference, currency } = charge
  const { receiptId, gone: actual, booked: expected, newestAt } = goneBack
  const subject = `payables:${rail.name}:${reference}:${receiptId}`
  const isMore = unitsOf(actual) > unitsOf(expected)
  const kind = isAsBooked(goneBack) ? undefined : isMore ? 'unbooked_refund' : 'missing_refund'
  for (const other of ['unbooked_refund', 'missing_refund'] as const)
    if (other !== kind && open.has(`${other}:${subject}`))
      await deps.ledger.transaction((em) => deps.differences.close(em, other, subject))
  if (kind === undefined || deps.clock.now().getTime() - newestAt.getTime() < SHOWN_WITHIN_MS) return
  const about = { kind, subject, scope: scopeOf(rail) } as const
  await reportDifference(deps, { ...about, expected, actual, currency, details: DETAILS[kind] })
}

/** Under the payment's lock, which all that is booked of its charges is under. */
async function recordPayable(deps: SyncFeesDeps, rail: ChargeRail, charge: Charge, payable: Payable): Promise<void> {
  const { tenantId, paymentId } = charge
  await deps.payments.change(tenantId, paymentId, async (payment, em) => {
    const before = await deps.payables.find(em, rail.name, payable.id)
    if (before?.fee === payable.fee) return undefined
    // Of what the provider has shared out, those who got it bear the fee.
    const isOurs = !isSharedByProvider({ rail, payment })
    const at = deps.clock.now()
    await deps.payables.keep(em, { rail: rail.name, tenantId, paymentId, isOurs }, payable, at)
    const more = amountOf(unitsOf(payable.fee) - unitsOf(before?.fee ?? '0'))
    if (isOurs && more !== '0') {
      const version = (before?.version ?? 0) + 1
      const entry = payableFeeEntry(rail.name, payable, version, { amount: more, currency: charge.currency })
      await deps.ledger.book(em, { tenantId, paymentId, at }, entry)
    }
    await compareFee(deps, rail, em, { charge, payable, isOurs })
    return undefined
  })
}

/** What is kept of a charge in all stands with it, and is told where it is more than was agreed. */
async function compareFee(
  deps: SyncFeesDeps,
  rail: ChargeRail,
  em: Transaction,
  { charge, payable: { receiptId }, isOurs }: { charge: Charge; payable: Payable; isOurs: boolean },
): Promise<void> {
  const { ours, charged, parts } = await deps.payables.feesOf(em, rail.name, receiptId)
  const { receivedPayments } = await deps.charges.load(em, charge)
  const received = receivedPayments.find(({ id }) => id === receiptId)
  if (!received) return
  if (isOurs) received.providerFee = ours
  const { feeMaxPercent } = rail.adapter
  if (feeMaxPercent === undefined) return
  const agreed = divide(multiply(received.amount, feeMaxPercent), '100', 18)
  // Each part may be rounded up by half a cent.
  const isMore = unitsOf(charged) > unitsOf(sum([agreed, multiply(String(parts), HALF_A_CENT)]))
  const subject = `${rail.name}:${charge.reference}:${receiptId}`
  if (!isMore) return deps.differences.close(em, 'wrong_fee', subject)
  const details = `of ${received.amount} the provider keeps more than ${feeMaxPercent} percent`
  const expected = roundHalfUp(agreed, rail.adapter.decimals)
  const found = { kind: 'wrong_fee', subject, scope: scopeOf(rail), expected, actual: charged } as const
  await reportIn(deps, em, { ...found, currency: charge.currency, details })
}
