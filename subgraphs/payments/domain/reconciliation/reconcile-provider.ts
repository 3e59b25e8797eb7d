import type { ListedPayment } from '../../rails/processor-adapter.js'
import type { ChargeRail } from '../../rails/rail.js'
import { reportDifference, type ReportDifferenceDeps } from '../../settlement/report-difference.js'
import type { DifferenceKind } from '../../store/differences.js'
import type { Stores } from '../../store/stores.js'
import { eachStep } from './each-step.js'
import { syncFees, type SyncFeesDeps } from './sync-fees.js'
import { lookAtReceived, type LookAtReceivedDeps, type LookedAt } from './look-at-received.js'
import { lookUps, mayBeAway, type LookUps } from './look-ups.js'

/** What comparing our books with a provider's needs. */
export type ReconcileProviderDeps = LookAtReceivedDeps &
  SyncFeesDeps &
  ReportDifferenceDeps &
  Pick<Stores, 'charges' | 'differences' | 'treasuryBooks'>

const DAY_MS = 24 * 3_600_000
/** Money is compared so long after it has come. */
const RECEIVED_DAYS = 3
/** An order of a card is listed by when it was made, and may be paid as long as its charge is watched: three days of a review, and one more. */
const ORDERED_DAYS = 5
/** A payer may have it taken back by force for so long: Pix 80 days and 11 of a procedure, a card longer. */
const REFUNDED_DAYS = 120

/** Callbacks tell of money, and where they are lost, the list that is read every five minutes does. */
const NOTICED_WITHIN_MS = 15 * 60_000

/** The kinds that a look at a charge finds, and that are gone when another finds none of them. */
const KINDS: readonly DifferenceKind[] = [
  'missing_receipt',
  'unknown_receipt',
  'wrong_amount',
  'unbooked_refund',
  'missing_refund',
]

/** A reconciliation under way: what is open of the provider, and what was looked at. */
interface Run {
  deps: ReconcileProviderDeps
  rail: ChargeRail
  scope: string
  open: ReadonlySet<string>
  looked: Set<string>
  lookUps: LookUps
}

/** Both ends included. */
interface Window {
  from: Date
  to: Date
}

/**
 * Compares what a provider shows with our books: what came in the last days, what went back of the last 120, what its list of payables
 * says went back of older ones, and what differed before. News is booked on the way; a difference stays open until a later look finds
 * it gone, or an operator resolves it. What fails about one charge keeps no other from being compared.
 * @throws ProviderError; where single charges could not be looked up, once all others were
 */
export async function reconcileProvider(deps: ReconcileProviderDeps, rail: ChargeRail): Promise<void> {
  const { listReceived, chargesImmediately } = rail.adapter
  if (!listReceived) return
  const scope = `provider:${rail.name}`
  const now = deps.clock.now()
  await deps.treasuryBooks.start(scope, now)
  const open = await deps.differences.openOf(scope)
  const run: Run = { deps, rail, scope, open, looked: new Set(), lookUps: lookUps(deps.log) }
  const recent = new Date(now.getTime() - (chargesImmediately ? ORDERED_DAYS : RECEIVED_DAYS) * DAY_MS)
  const old = new Date(now.getTime() - REFUNDED_DAYS * DAY_MS)
  await eachStep(
    () => compareRecent(run, listReceived({ from: recent, to: now, isRefundedOnly: false }), { from: recent, to: now }),
    () => compareAll(run, listReceived({ from: old, to: recent, isRefundedOnly: true })),
    () => lookAgain(run),
    // All of these days again: a fee may have been listed before its charge was known here.
    () => syncFees(deps, rail, { from: old, to: now }, run.lookUps),
    () => run.lookUps.end(),
  )
  await deps.treasuryBooks.end(scope, deps.clock.now(), {})
}

/** What the provider shows of the last days, and what is booked and it does not show, also where it shows some of it as nobody can read. */
async function compareRecent(run: Run, listed: AsyncIterable<ListedPayment>, window: Window): Promise<void> {
  const seen = new Set<string>()
  let isAway = false
  await eachStep(
    () =>
      compareAll(run, listed, seen).catch((error: unknown) => {
        isAway = mayBeAway(error)
        throw error
      }),
    // What a list that broke off would have shown nobody knows.
    () => (isAway ? undefined : findUnshown(run, window, seen)),
  )
}

/** @param seen gets the ids of the received payments */
async function compareAll(run: Run, listed: AsyncIterable<ListedPayment>, seen = new Set<string>()): Promise<void> {
  for await (const one of lookAtReceived(run, listed)) {
    seen.add(one.listed.received.id)
    await tell(run, one)
  }
}

const subjectOf = ({ rail }: Run, reference: string, receiptId: string): string =>
  `${rail.name}:${reference}:${receiptId}`

async function tell(run: Run, { listed, differences }: LookedAt): Promise<void> {
  const { deps, scope, open, looked } = run
  const subject = subjectOf(run, listed.reference ?? '', listed.received.id)
  looked.add(subject)
  const { currency } = run.rail.adapter
  for (const difference of differences) {
    if (difference.kind === 'missing_receipt' && (await isNoticedInTime(run, listed))) continue
    await reportDifference(deps, { ...difference, subject, scope, currency })
  }
  // Where the provider has a list of its fees, that is what they are compared with (`sync-fees.ts`).
  const kinds: readonly DifferenceKind[] = run.rail.adapter.listPayables ? KINDS : [...KINDS, 'wrong_fee']
  const gone = kinds.filter((kind) => open.has(`${kind}:${subject}`) && !differences.some((one) => one.kind === kind))
  for (const kind of gone) await deps.ledger.transaction((em) => deps.differences.close(em, kind, subject))
}

/** Whether money came while it was looked for, so that its callback was on its way, and is booked by now. */
async function isNoticedInTime({ deps, rail }: Run, { received }: ListedPayment): Promise<boolean> {
  if (deps.clock.now().getTime() - received.at.getTime() > NOTICED_WITHIN_MS) return false
  return (await deps.charges.readByReceivedPayment(rail.name, received.id)) !== undefined
}

/** Money that is booked as received in a time and that the provider does not list: its charge has the last word. */
async function findUnshown(run: Run, { from, to }: Window, seen: ReadonlySet<string>): Promise<void> {
  const { deps, rail, scope } = run
  for await (const booked of deps.charges.receivedBetween(rail.name, from, to)) {
    if (seen.has(booked.id)) continue
    const { id, reference, amount: expected, currency } = booked
    await run.lookUps.make({ rail: rail.name, reference }, async () => {
      const view = await rail.adapter.retrieve(reference)
      if (view?.receivedPayments.some((one) => one.id === id)) return
      const subject = subjectOf(run, reference, id)
      const details = 'it is booked, and the provider does not show it'
      run.looked.add(subject)
      const found = { kind: 'unknown_receipt', subject, scope, expected, actual: '0', currency, details } as const
      await reportDifference(deps, found)
    })
  }
}

/** What differed before, and was in no list this time. */
async function lookAgain(run: Run): Promise<void> {
  const { rail, open, looked } = run
  const subjects = new Set([...open].map((name) => name.slice(name.indexOf(':') + 1)))
  for (const subject of subjects) {
    const [, reference = '', receiptId = ''] = subject.split(':')
    if (looked.has(subject)) continue
    await run.lookUps.make({ rail: rail.name, reference }, async () => {
      const view = await rail.adapter.retrieve(reference)
      const received = view?.receivedPayments.find(({ id }) => id === receiptId)
      if (received) await compareAll(run, listOf([{ reference, received }]))
    })
  }
}

async function* listOf(listed: readonly ListedPayment[]): AsyncGenerator<ListedPayment> {
  yield* await Promise.resolve(listed)
}
