import type { Chain } from '../../../../chains/chain.js'
import type { WatchedTransaction } from '../../../../chains/watch.js'
import { AppError } from '../../../../kernel/errors.js'
import type { Runtime } from '../../model/runtime.js'
import type { OnChain, OnChains } from '../../rails/on-chain.js'
import type { Payment } from '../../store/payment.entity.js'
import type { Stores } from '../../store/stores.js'
import { findSentJob } from './transfer-jobs.js'

/** What looking for a transaction needs that its wallet has sent by itself. */
export type FindSentDeps = OnChains & Pick<Runtime, 'clock'> & Pick<Stores, 'addJobNow' | 'broadcasts' | 'payments'>

/** Between two looks at what the job may have written down. */
const RECHECK_MS = 1_000
/** Before nodes are asked again about a transaction that no block has; twice as long each time. */
const FIRST_PAUSE_MS = 250

/** A transaction that its wallet has sent by itself. */
export interface SentTransaction {
  /** In its canonical form, however it was written where it was handed in. */
  hash: string
  raw: string
}

/**
 * The signed bytes of a transaction that the payer's wallet has sent, by its hash. While no node knows it a job looks for it,
 * so that it counts though the payer has closed the page.
 * @param mayWait whether the request still waits, see `waitDeadline`
 * @throws invalid_parameters where it is no hash of the payment's chain, missing_unsigned_transaction, invalid_payment_status,
 *   invalid_signed_transaction, confirm_rpc_unavailable, broadcast_confirmation_timeout while it is looked for
 */
export async function awaitSent(
  deps: FindSentDeps,
  payment: Payment,
  txHash: string,
  mayWait: () => boolean,
): Promise<SentTransaction> {
  const chains = await chainsOf(deps, payment)
  const hash = hashIn(deps, payment, chains, txHash)
  const found = await findOn(deps, chains, payment, hash)
  if (found !== undefined) return { hash, raw: found }
  if (payment.status !== 'pending' || payment.signedTransaction) throw new AppError('invalid_payment_status')
  await lookForSent(deps, payment, hash, deps.clock.now().toISOString())
  const watched = sidesOf(deps, chains, hash).map(({ onChain, chainName }) => onChain.watch({ chainName, hash }))
  try {
    const late = await awaitFound(deps, { payment, chains, hash, watched }, mayWait)
    if (late !== undefined) return { hash, raw: late }
  } finally {
    for (const one of watched) one.stop()
  }
  const message = 'No node knows the transaction yet; it is still looked for.'
  throw new AppError('broadcast_confirmation_timeout', { message, details: hash })
}

interface Awaited {
  payment: Payment
  chains: ChainFamilies
  hash: string
  watched: readonly WatchedTransaction[]
}

/** Waits for a block, together with all others, or for the job; in between nodes are asked whether it waits for one. */
async function awaitFound(
  deps: FindSentDeps,
  { payment, chains, hash, watched }: Awaited,
  mayWait: () => boolean,
): Promise<string | undefined> {
  let pauseMs = FIRST_PAUSE_MS
  let leftMs = pauseMs
  while (mayWait()) {
    const stepMs = Math.min(leftMs, RECHECK_MS)
    const isMined = await Promise.race(watched.map((one) => one.next(stepMs)))
    leftMs -= stepMs
    const isDue = isMined || leftMs <= 0
    const late = isDue ? await findOn(deps, chains, payment, hash) : await takenUp(deps, payment, hash)
    if (late !== undefined) return late
    if (leftMs > 0) continue
    pauseMs *= 2
    leftMs = pauseMs
  }
  return undefined
}

/** Whether a block has a transaction that was handed in by its hash; nodes are asked about it together with all others. */
export async function isSentInBlock(deps: LookDeps, payment: Payment, hash: string): Promise<boolean> {
  for (const { onChain, chainName } of sidesOf(deps, await chainsOf(deps, payment), hash))
    if (await onChain.isInBlock({ chainName, hash })) return true
  return false
}

/**
 * Has a job look for a transaction, whatever becomes of the request.
 * @param hash in its canonical form
 * @param askedAt when nodes were asked about it; they are asked at once where it is left out
 */
export async function lookForSent(
  { addJobNow, clock }: Pick<FindSentDeps, 'addJobNow' | 'clock'>,
  { tenantId, id: paymentId }: Payment,
  hash: string,
  askedAt?: string,
): Promise<void> {
  const now = clock.now()
  await addJobNow(findSentJob({ tenantId, paymentId, hash, since: now.toISOString(), askedAt }, now))
}

/**
 * As `awaitSent`, looking once: first at what was taken up before, then at the chains that the payment's transactions were
 * built for.
 * @param hash in its canonical form
 * @returns undefined where no node knows it
 */
export async function findSent(deps: LookDeps, payment: Payment, hash: string): Promise<string | undefined> {
  return findOn(deps, await chainsOf(deps, payment), payment, hash)
}

type LookDeps = Pick<FindSentDeps, 'broadcasts' | 'onChain' | 'payments'>
type ChainFamilies = ReadonlyMap<string, Chain['family']>

/** The chains that the payment's transactions were built for. */
async function chainsOf({ payments }: LookDeps, payment: Payment): Promise<ChainFamilies> {
  const built = await payments.builtTransactions(payment.tenantId, payment.id)
  const transactions = [payment, ...built].flatMap(({ unsignedTransaction }) => unsignedTransaction ?? [])
  return new Map(transactions.map(({ chainName, family }) => [chainName, family]))
}

/** The chains on which a hash may be a transaction's. */
function sidesOf(
  { onChain }: OnChains,
  chains: ChainFamilies,
  hash: string,
): { onChain: OnChain; chainName: string }[] {
  return [...chains].flatMap(([chainName, family]) => {
    const side = onChain[family]
    return side && side.hashIn(hash) !== undefined ? [{ onChain: side, chainName }] : []
  })
}

async function takenUp({ broadcasts }: LookDeps, { tenantId, id }: Payment, hash: string): Promise<string | undefined> {
  return (await broadcasts.find(tenantId, id, hash))?.raw
}

async function findOn(
  deps: LookDeps,
  chains: ChainFamilies,
  payment: Payment,
  hash: string,
): Promise<string | undefined> {
  const known = await takenUp(deps, payment, hash)
  if (known !== undefined) return known
  for (const { onChain, chainName } of sidesOf(deps, chains, hash)) {
    const raw = await onChain.findSent(chainName, hash)
    if (raw !== undefined) return raw
  }
  return undefined
}

function hashIn(
  { onChain }: OnChains,
  { status, transactionType }: Payment,
  chains: ChainFamilies,
  text: string,
): string {
  if (chains.size === 0) {
    const waiting = status === 'registered' || transactionType === 'crypto'
    throw new AppError(waiting ? 'missing_unsigned_transaction' : 'invalid_payment_status')
  }
  for (const family of new Set(chains.values())) {
    const hash = onChain[family]?.hashIn(text)
    if (hash !== undefined) return hash
  }
  throw new AppError('invalid_parameters', {
    message: 'tx_hash must be the hash of a transaction.',
    errors: [{ field: 'txHash', message: 'must be the hash of a transaction' }],
  })
}
