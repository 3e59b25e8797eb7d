import { AppError } from '../../../../kernel/errors.js'
import type { Runtime } from '../../model/runtime.js'
import type { OnChain } from '../../rails/on-chain.js'
import type { Payment, PaymentChange } from '../../store/payment.entity.js'
import type { Stores } from '../../store/stores.js'
import { storeBroadcast, type ExecuteOnChainDeps } from './execute-on-chain.js'
import { makeWay } from './make-way.js'
import { recordPaidTwice, type PaidTwiceDeps } from './record-paid-twice.js'
import { findBuilt, findSignedVersion, type SignedVersion } from './signed-version.js'
import { watchBuiltJob, type WatchBuiltJob } from './transfer-jobs.js'

/** What watching for a wallet's transaction needs that nobody has handed in. */
export type WatchBuiltDeps = ExecuteOnChainDeps &
  PaidTwiceDeps &
  Pick<Runtime, 'log'> &
  Pick<Stores, 'addJobNow' | 'alerts'>

/** After a third of its age again, as most that are looked at are never signed: some thirty looks in all. */
const AGE_PART = 3
const SHORTEST_MS = 60_000
const LONGEST_MS = 12 * 3_600_000
/** A signed transaction lives until its nonce is used; after a week hardly anybody sends it any more. */
const WATCH_MS = 7 * 24 * 3_600_000

/** A transaction that was built for the payment, and the payment as it was then. */
interface Built {
  payment: Payment
  then: Payment
  onChain: OnChain
}

/**
 * The job that looks whether a wallet has sent what was built for it, though nobody has handed it in: its payer may have
 * closed the page, or have left for another way to pay. It pays the payment then; where that was paid by another, or by the same
 * that the wallet has signed before, the payer has paid twice, which is booked and told.
 */
export async function watchBuilt(deps: WatchBuiltDeps, job: WatchBuiltJob): Promise<void> {
  const payment = await deps.payments.find(job.tenantId, job.paymentId)
  const built = payment && (await builtOf(deps, payment, job.quoteId))
  if (!built) return
  const [now, builtAt] = [deps.clock.now(), new Date(job.builtAt)]
  let next = job
  try {
    const { hashes, place } = await built.onChain.findSpent(built.then, builtAt, job.place)
    let areAllSettled = true
    for (const hash of hashes) {
      const found = await judge(deps, built, hash)
      if (found === 'over') return
      areAllSettled &&= found === 'another'
    }
    if (areAllSettled && place !== undefined) next = { ...job, place }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code, details } = error
    deps.log.warn({ paymentId: job.paymentId, errorCode: code, details }, 'a wallet could not be looked at')
  }
  const ageMs = now.getTime() - builtAt.getTime()
  if (ageMs > WATCH_MS) return
  const delayMs = Math.min(Math.max(ageMs / AGE_PART, SHORTEST_MS), LONGEST_MS)
  await deps.addJobNow(watchBuiltJob(next, new Date(now.getTime() + delayMs)))
}

async function builtOf(deps: WatchBuiltDeps, payment: Payment, quoteId: string): Promise<Built | undefined> {
  const all = await deps.payments.builtTransactions(payment.tenantId, payment.id)
  const change = all.find((one) => one.quoteId === quoteId)
  const family = change?.unsignedTransaction?.family
  const onChain = family && deps.onChain[family]
  return onChain && { payment, onChain, then: thenOf(payment, change) }
}

function thenOf(payment: Payment, change: PaymentChange): Payment {
  return { ...payment, splitVersion: null, ...change } as Payment
}

/**
 * What a transaction of the wallet is. `another`: not the one that was built, or another payment's; `later`: it cannot be said,
 * or written down, yet; `over`: it was, and all is written down.
 */
async function judge(deps: WatchBuiltDeps, built: Built, hash: string): Promise<'another' | 'later' | 'over'> {
  const { payment, then, onChain } = built
  // It has paid the payment. The wallet may have signed the same again, with its next nonce.
  if (payment.status === 'success' && payment.tidHash === hash) return 'another'
  const known = await deps.broadcasts.find(payment.tenantId, payment.id, hash)
  // It was handed in, and is followed.
  if (known && payment.signedTransaction === known.raw) return 'later'
  if (!known && (await isAnothers(deps, built, hash))) return 'another'
  const raw = known?.raw ?? (await sentOf(onChain, then.chainName ?? '', hash))
  if (raw === 'another') return 'another'
  if (raw === undefined) return 'later'
  const version = await findBuilt(deps, payment, raw)
  if (!version) return 'another'
  try {
    const free = await makeWay(deps, payment, raw)
    if (!free) return 'later'
    await storeBroadcast(deps, free, await findSignedVersion(deps, free, raw), 'node')
    deps.log.info({ paymentId: payment.id, hash }, 'a wallet had paid what nobody handed in')
    return 'over'
  } catch (error) {
    if (!(error instanceof AppError) || !['invalid_payment_status', 'payment_already_processed'].includes(error.code))
      throw error
    return notCounted(deps, payment, version)
  }
}

/** Whether it pays another payment, for which the same call was built. */
function isAnothers({ broadcasts }: WatchBuiltDeps, { payment, then }: Built, hash: string): Promise<boolean> {
  return broadcasts.isAnothers({ chainName: then.chainName ?? '', hash, paymentId: payment.id })
}

/** The bytes of a transaction; `another` where it is of a kind that we do not build. */
async function sentOf(onChain: OnChain, chainName: string, hash: string): Promise<string | undefined> {
  return onChain.findSent(chainName, hash).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'invalid_signed_transaction') return 'another'
    throw error
  })
}

/** It has paid the receivers, and the payment does not take it: it was paid by another, or the price had run out. */
async function notCounted(deps: WatchBuiltDeps, payment: Payment, version: SignedVersion): Promise<'later' | 'over'> {
  const recorded = await recordPaidTwice(deps, payment, version)
  return recorded === 'recorded' || recorded === 'not_paid' ? 'over' : 'later'
}
