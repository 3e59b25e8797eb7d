import type { Chain } from '../../../../chains/chain.js'
import { waitDeadline } from '../../../../kernel/deadline.js'
import { AppError } from '../../../../kernel/errors.js'
import type { Runtime } from '../../model/runtime.js'
import type { OnChains } from '../../rails/on-chain.js'
import type { Payment } from '../../store/payment.entity.js'
import type { Stores } from '../../store/stores.js'
import { findSentJob } from './transfer-jobs.js'

/** What looking for a transaction needs that its wallet has sent by itself. */
export type FindSentDeps = OnChains &
  Pick<Runtime, 'clock' | 'delay' | 'isStopping'> &
  Pick<Stores, 'addJobNow' | 'broadcasts' | 'payments'>

/** How long a request waits for nodes to know the transaction; the job looks on after it. */
const WAIT_MS = 20_000
const POLL_MS = 250

/**
 * The signed bytes of a transaction that the payer's wallet has sent, by its hash. While no node knows it a job looks for it,
 * so that it counts though the payer has closed the page.
 * @throws invalid_parameters where it is no hash of the payment's chain, missing_unsigned_transaction, invalid_payment_status,
 *   invalid_signed_transaction, confirm_rpc_unavailable, broadcast_confirmation_timeout while it is looked for
 */
export async function awaitSent(deps: FindSentDeps, payment: Payment, txHash: string): Promise<string> {
  const chains = await chainsOf(deps, payment)
  const hash = hashIn(deps, payment, chains, txHash)
  const found = await findOn(deps, chains, payment, hash)
  if (found !== undefined) return found
  if (payment.status !== 'pending' || payment.signedTransaction) throw new AppError('invalid_payment_status')
  await lookForSent(deps, payment, hash)
  const mayWait = waitDeadline(WAIT_MS, deps.isStopping)
  while (mayWait()) {
    await deps.delay(POLL_MS)
    const late = await findOn(deps, chains, payment, hash)
    if (late !== undefined) return late
  }
  const message = 'No node knows the transaction yet; it is still looked for.'
  throw new AppError('broadcast_confirmation_timeout', { message, details: hash })
}

/** Has a job look for a transaction, whatever becomes of the request. @param hash in its canonical form */
export async function lookForSent(
  { addJobNow, clock }: Pick<FindSentDeps, 'addJobNow' | 'clock'>,
  { tenantId, id: paymentId }: Payment,
  hash: string,
): Promise<void> {
  const now = clock.now()
  await addJobNow(findSentJob({ tenantId, paymentId, hash, since: now.toISOString() }, now))
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

async function findOn(
  deps: LookDeps,
  chains: ChainFamilies,
  { tenantId, id }: Payment,
  hash: string,
): Promise<string | undefined> {
  const known = await deps.broadcasts.find(tenantId, id, hash)
  if (known) return known.raw
  for (const [chainName, family] of chains) {
    const onChain = deps.onChain[family]
    if (!onChain || onChain.hashIn(hash) === undefined) continue
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
