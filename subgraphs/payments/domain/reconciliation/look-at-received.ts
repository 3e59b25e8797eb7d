import { AppError } from '../../../../kernel/errors.js'
import type { ListedPayment } from '../../rails/processor-adapter.js'
import type { ChargeRail } from '../../rails/rail.js'
import type { Charge } from '../../store/charge.entity.js'
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

/**
 * Looks at money that a provider lists: what is news to us is taken over from the charge itself, and what belongs to no charge
 * goes into suspense.
 * @returns each that belongs to a charge, with what differed before
 * @throws ProviderError
 */
export async function* lookAtReceived(
  deps: LookAtReceivedDeps,
  rail: ChargeRail,
  listed: AsyncIterable<ListedPayment>,
): AsyncGenerator<LookedAt> {
  let some: ListedPayment[] = []
  for await (const one of listed) {
    some.push(one)
    if (some.length < AT_ONCE) continue
    yield* lookAt(deps, rail, some)
    some = []
  }
  yield* lookAt(deps, rail, some)
}

async function* lookAt(
  deps: LookAtReceivedDeps,
  rail: ChargeRail,
  some: readonly ListedPayment[],
): AsyncGenerator<LookedAt> {
  const references = some.flatMap(({ reference }) => (reference === undefined ? [] : [reference]))
  const records = await deps.charges.readByReferences(rail.name, references)
  for (const listed of some) {
    const record = records.get(listed.reference ?? '')
    if (!record) {
      await recordUnmatched(deps, rail.name, listed.received, rail.adapter.currency)
      continue
    }
    const { differences, isNews } = compareReceived(record, listed.received)
    if (isNews) await takeOver(deps, rail, record.charge)
    yield { listed, differences }
  }
}

/**
 * Takes over what the charge shows. What is in the way of one, such as a token that is not enabled any more, keeps nobody else's money
 * waiting: its difference stays, and the next look tries again.
 */
async function takeOver(deps: LookAtReceivedDeps, rail: ChargeRail, charge: Charge): Promise<void> {
  try {
    await syncCharge(deps, rail, charge)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    deps.log.error({ paymentId: charge.paymentId, err: error }, 'what a provider lists could not be taken over')
  }
}
