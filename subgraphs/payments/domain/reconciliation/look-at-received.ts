import { AppError } from '../../../../kernel/errors.js'
import type { ReceivedPayment } from '../../model/charge.js'
import type { ListedPayment } from '../../rails/processor-adapter.js'
import type { ChargeRail } from '../../rails/rail.js'
import type { Charge } from '../../store/charge.entity.js'
import type { ChargeRecord } from '../../store/charge-records.js'
import type { Stores } from '../../store/stores.js'
import { adoptCharge } from '../charges/adopt-charge.js'
import type { CreateChargeDeps } from '../charges/new-charge.js'
import { recordUnmatched, type RecordUnmatchedDeps } from '../charges/record-unmatched.js'
import { syncCharge } from '../charges/sync-charge.js'
import { compareReceived, type ReceivedComparison } from './compare-received.js'
import { inBatches } from './in-batches.js'
import type { LookUps } from './look-ups.js'
import { takeOverCharge } from './take-over-charge.js'

/** What looking at a provider's list needs. */
export type LookAtReceivedDeps = CreateChargeDeps & RecordUnmatchedDeps & Pick<Stores, 'charges'>

/** A listed payment with what differs from our books. */
export interface LookedAt {
  listed: ListedPayment
  differences: ReceivedComparison['differences']
}

/** So many charges are read by one statement. */
const AT_ONCE = 100

/** A look at a list. */
interface Look {
  deps: LookAtReceivedDeps
  rail: ChargeRail
  lookUps: LookUps
}

/**
 * Looks at money that a provider lists: what is news to us is taken over from the charge itself, and what belongs to no charge
 * goes into suspense.
 * @param look.lookUps ends by what single charges could not be read for
 * @returns each that belongs to a charge, with what differed before
 * @throws ProviderError where the provider is away, or its list fails, once what it gave before was looked at
 */
export async function* lookAtReceived(look: Look, listed: AsyncIterable<ListedPayment>): AsyncGenerator<LookedAt> {
  for await (const some of inBatches(listed, AT_ONCE)) yield* lookAt(look, some)
}

async function* lookAt(look: Look, some: readonly ListedPayment[]): AsyncGenerator<LookedAt> {
  const { deps, rail } = look
  const references = some.flatMap(({ reference }) => (reference === undefined ? [] : [reference]))
  const records = await deps.charges.readByReferences(rail.name, references)
  for (const listed of some) {
    // What names no charge may be booked for one already, which showed it itself.
    const record = records.get(listed.reference ?? '') ?? (await bookedFor(look, listed))
    if (!record) {
      await takeUpLost(look, listed)
      continue
    }
    const { differences, isNews } = compareReceived(record, listed.received)
    if (isNews) await takeOverCharge(look, record.charge)
    yield { listed: { ...listed, reference: record.charge.reference }, differences }
  }
}

/** What has no price for so long is told to an operator, and is looked for in lists of a day. */
const UNPRICED_TOLD_MS = 3_600_000
const UNPRICED_LISTED_MS = 24 * 3_600_000

/** What names a payment of ours was lost with the database; what names none is nobody's. What fails for now comes again with the list. */
async function takeUpLost(look: Look, listed: ListedPayment): Promise<void> {
  const { deps, rail, lookUps } = look
  const { reference, received } = listed
  await lookUps.make({ reference: reference ?? '' }, async () => {
    const adopted = reference === undefined ? undefined : await adoptOrTell(look, reference, received)
    if (adopted === 'unpriced') return
    if (adopted) await syncCharge(deps, rail, adopted)
    else await recordUnmatched(deps, rail.name, received, rail.adapter.currency)
  })
}

/**
 * Takes up a lost charge. While it has no price its list is read again; once that lasts, its money stands in suspense until there is one, and
 * after a day it is looked for in the nightly lists alone.
 * @returns `unpriced` where the list need not be read again for it
 * @throws AppError where there is no price, ProviderError
 */
async function adoptOrTell(
  { deps, rail }: Look,
  reference: string,
  received: ReceivedPayment,
): Promise<Charge | 'unpriced' | undefined> {
  try {
    return await adoptCharge(deps, rail, reference)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const ageMs = deps.clock.now().getTime() - received.at.getTime()
    if (ageMs > UNPRICED_TOLD_MS) await recordUnmatched(deps, rail.name, received, rail.adapter.currency)
    if (ageMs <= UNPRICED_LISTED_MS) throw error
    deps.log.warn({ reference, err: error }, 'a charge that was paid is not in the database, and has no price')
    return 'unpriced'
  }
}

function bookedFor({ deps, rail }: Look, { received }: ListedPayment): Promise<ChargeRecord | undefined> {
  return deps.charges.readByReceivedPayment(rail.name, received.id)
}
