import type { SolanaChain } from '../../../../chains/chain.js'
import { findByReference } from '../../../../chains/solana/find-sent.js'
import { withAdvisoryLock } from '../../../../kernel/advisory-lock.js'
import type { Transaction } from '../../../../kernel/database.js'
import { AppError } from '../../../../kernel/errors.js'
import type { JobRequest } from '../../../../kernel/jobs.js'
import { withConcurrency } from '../../../../kernel/with-concurrency.js'
import type { ChainAccess } from '../../model/chain-access.js'
import type { Runtime } from '../../model/runtime.js'
import type { UnsignedTransaction } from '../../model/unsigned-transaction.js'
import type { Payment } from '../../store/payment.entity.js'
import type { Quote } from '../../store/quotes.js'
import type { WatchedReference } from '../../store/references.js'
import type { Stores } from '../../store/stores.js'
import { findSentJob } from './transfer-jobs.js'

export const WATCH_REFERENCES = 'watch-references'

/** What looking for references needs. */
export type WatchReferencesDeps = Pick<ChainAccess, 'settings' | 'solanaClient'> &
  Pick<Runtime, 'clock' | 'log'> &
  Pick<Stores, 'addJob' | 'addJobNow' | 'pool' | 'references'>

interface WatchReferencesJob {
  chainName: string
}

/** Between two looks while something is waited for. */
const POLL_MS = 500
/** What was signed in time may come to be shown a while after its price has run out. */
const AFTER_QUOTE_MS = 120_000
/** So many payments are looked for at once on a chain; nodes bill each question. */
const WATCHED_MAX = 500
const WIDTH = 8

/**
 * Has a payment's reference looked for, in the transaction that writes down what its wallet was given to sign: the wallet may
 * be on a telephone, and nobody may be there to hand in what it has sent. A router's transaction names no reference.
 */
export async function watchReference(
  { references, addJob }: Pick<Stores, 'addJob' | 'references'>,
  em: Transaction,
  { tenantId, id: paymentId }: Pick<Payment, 'tenantId' | 'id'>,
  { unsigned, quote }: { unsigned: UnsignedTransaction | null | undefined; quote: Pick<Quote, 'expiresAt'> },
): Promise<void> {
  if (unsigned?.family !== 'solana' || unsigned.meta.source !== 'solana_transfer') return
  const { chainName, reference } = unsigned
  const until = new Date(quote.expiresAt.getTime() + AFTER_QUOTE_MS)
  await references.watch(em, { tenantId, paymentId, chainName, reference }, until)
  await addJob(em, watchJob(chainName))
}

/** Begins to look on each chain of Solana again, should a job have been lost; every minute. */
export async function startWatchingReferences(deps: WatchReferencesDeps): Promise<void> {
  await deps.references.forget(deps.clock.now())
  for (const { name, family } of deps.settings.chains) {
    if (family === 'solana') await deps.addJobNow(watchJob(name))
  }
}

/**
 * The job that looks for what wallets have sent of payments on a chain, by their references. What it finds is verified and
 * followed like a transaction whose hash was handed in. It comes again while something is waited for.
 */
export async function watchReferences(deps: WatchReferencesDeps, { chainName }: WatchReferencesJob): Promise<void> {
  const chain = deps.settings.chains.find(({ name }) => name === chainName)
  if (chain?.family !== 'solana') return
  const { clock, log, pool } = deps
  const look = await withAdvisoryLock(pool, `watch-references:${chainName}`, () => lookAt(deps, chain)).catch(
    (error: unknown) => {
      if (!(error instanceof AppError)) throw error
      log.warn({ chain: chainName, errorCode: error.code }, 'the references of payments cannot be looked for now')
      return { result: 1 }
    },
  )
  // Another look is under way, or something is waited for still.
  if (look?.result === 0) return
  await deps.addJobNow({ ...watchJob(chainName), runAt: new Date(clock.now().getTime() + POLL_MS) })
}

/** Looks once. Returns how many are waited for. */
async function lookAt(deps: WatchReferencesDeps, chain: SolanaChain): Promise<number> {
  const { references, clock, solanaClient } = deps
  const all = await references.watched(chain.name, clock.now(), WATCHED_MAX)
  await withConcurrency(all, WIDTH, async ({ seen, ...watched }) => {
    const found = await findByReference(solanaClient(chain), watched.reference)
    for (const signature of found) if (!seen.includes(signature)) await takeUp(deps, watched, signature)
  })
  return all.length
}

async function takeUp(
  { references, addJob, clock }: WatchReferencesDeps,
  watched: WatchedReference,
  hash: string,
): Promise<void> {
  const now = clock.now()
  const { tenantId, paymentId } = watched
  const job = findSentJob({ tenantId, paymentId, hash, since: now.toISOString() }, now)
  await references.see(watched, hash, (em) => addJob(em, job))
}

function watchJob(chainName: string): JobRequest {
  const payload: WatchReferencesJob = { chainName }
  return { name: WATCH_REFERENCES, payload, key: `${WATCH_REFERENCES}:${chainName}` }
}
