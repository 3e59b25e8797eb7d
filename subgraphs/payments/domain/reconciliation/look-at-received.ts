import { ProviderError, type ProviderErrorKind } from '../../../../kernel/provider-error.js'
import type { ListedPayment } from '../../rails/processor-adapter.js'
import type { ChargeRail } from '../../rails/rail.js'
import type { Charge } from '../../store/charge.entity.js'
import type { ChargeRecord } from '../../store/charge-records.js'
import type { Stores } from '../../store/stores.js'
import { recordUnmatched, type RecordUnmatchedDeps } from '../charges/record-unmatched.js'
import { syncCharge, type SyncChargeDeps } from '../charges/sync-charge.js'
import { compareReceived, type ReceivedComparison } from './compare-received.js'

/** What looking at a provider's list needs. */
export type LookAtReceivedDeps = SyncChargeDeps & RecordUnmatchedDeps & Pick<Stores, 'charges'>

/** A listed payment with what differs from our books. */
export interface LookedAt {
  listed: ListedPayment
  differences: ReceivedComparison['differences']
}

/** So many charges are read by one statement. */
const AT_ONCE = 100

/** The failures that the next charge would meet too; any other is about the one that was asked for. */
const AWAY: readonly ProviderErrorKind[] = ['auth', 'rate_limited', 'timeout', 'unavailable']

/** A look at a list. */
interface Look {
  deps: LookAtReceivedDeps
  rail: ChargeRail
  /** Of the first charge that the provider does not show, or in a way that nobody can read. */
  failure?: ProviderError
}

/**
 * Looks at money that a provider lists: what is news to us is taken over from the charge itself, and what belongs to no charge
 * goes into suspense.
 * @returns each that belongs to a charge, with what differed before
 * @throws ProviderError; where a single charge cannot be read, once all others were looked at
 */
export async function* lookAtReceived(
  deps: LookAtReceivedDeps,
  rail: ChargeRail,
  listed: AsyncIterable<ListedPayment>,
): AsyncGenerator<LookedAt> {
  const look: Look = { deps, rail }
  let some: ListedPayment[] = []
  for await (const one of listed) {
    some.push(one)
    if (some.length < AT_ONCE) continue
    yield* lookAt(look, some)
    some = []
  }
  yield* lookAt(look, some)
  if (look.failure) throw look.failure
}

async function* lookAt(look: Look, some: readonly ListedPayment[]): AsyncGenerator<LookedAt> {
  const { deps, rail } = look
  const references = some.flatMap(({ reference }) => (reference === undefined ? [] : [reference]))
  const records = await deps.charges.readByReferences(rail.name, references)
  for (const listed of some) {
    // What names no charge may be booked for one already, which showed it itself.
    const record = records.get(listed.reference ?? '') ?? (await bookedFor(look, listed))
    if (!record) {
      await recordUnmatched(deps, rail.name, listed.received, rail.adapter.currency)
      continue
    }
    const { differences, isNews } = compareReceived(record, listed.received)
    if (isNews) await takeOver(look, record.charge)
    yield { listed: { ...listed, reference: record.charge.reference }, differences }
  }
}

function bookedFor({ deps, rail }: Look, { received }: ListedPayment): Promise<ChargeRecord | undefined> {
  return deps.charges.readByReceivedPayment(rail.name, received.id)
}

/**
 * Takes over what the charge shows. What is in the way of one keeps nobody else's money waiting, such as a token that is not enabled any
 * more, an amount that cannot be paid out, or an answer that nobody can read: its difference stays, and the next look tries again.
 * @throws ProviderError where the provider is away
 */
async function takeOver(look: Look, charge: Charge): Promise<void> {
  const { deps, rail } = look
  try {
    await syncCharge(deps, rail, charge)
  } catch (error) {
    if (error instanceof ProviderError) {
      if (AWAY.includes(error.kind)) throw error
      look.failure ??= error
    }
    deps.log.error({ paymentId: charge.paymentId, err: error }, 'what a provider lists could not be taken over')
  }
}
