import { AppError } from '../../../kernel/errors.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { SendAfter, SignatureStatus } from '../chain/yield-chain.js'
import type { YieldDeps } from '../deps.js'
import type { KnownBroadcast, NewBroadcast } from '../store/broadcasts.js'
import type { SignedTransaction } from './decode-signed.js'
import { sendAlone, type SendAloneDeps } from './send-alone.js'

/** How often in a row the chain may fail to tell before a broadcast stops asking. */
const FAILED_READS_MAX = 5

const NOTHING_SENT = 'this request sent nothing, as its turn did not come: send the same again in a while'
/** Of two, the first may have landed: this speaks of the one alone. */
const SENT_TOO_LATE =
  'this transaction was not sent, as the time of its request was over: send the same again in a while'

export type BroadcastSignedDeps = SendAloneDeps & Pick<YieldDeps, 'broadcastTiming' | 'delay'>

/** What a broadcast depends on besides its bytes. */
interface Wait {
  /** The slot of the transaction that this one builds upon: a node that has not seen it refuses to try. */
  afterSlot: number | undefined
  /** Whether its request may wait on. */
  mayWait: () => boolean
}

/**
 * Broadcasts a signed transaction until it has landed, once, and waits until it is final. The chain is asked before anything is
 * sent, and only one process at a time sends; a transaction cannot land twice, as the chain knows its signature.
 * @returns the slot that it landed in
 * @throws AppError solana_blockhash_expired, broadcast_simulation_failed, broadcast_rejected, broadcast_rpc_unavailable,
 *   confirm_transaction_failed, confirm_rpc_unavailable, broadcast_confirmation_timeout, signed_transaction_missing
 */
export async function broadcastSigned(
  deps: BroadcastSignedDeps,
  tenant: Tenant,
  signed: SignedTransaction,
  wait: Wait,
): Promise<number> {
  const known = await deps.broadcasts.find(tenant.id, signed.signature)
  const end = known && endOf(signed, known)
  if (end !== undefined) {
    deps.chain.noteLanded(end)
    return end
  }
  const status = await findBeforeSending(deps, tenant, signed)
  const row = { tenantId: tenant.id, signature: signed.signature, wire: signed.wire, chainName: deps.chain.name }
  // What another way brought to the chain is under way too.
  if (!known && status) await deps.broadcasts.add(row)
  const landed = status?.isFinal ? status : await waitUntilFinal(deps, row, signed, wait, status !== undefined)
  // An earlier request may have sent it, or another process and given up in the meantime.
  if (!landed) return findSentBefore(deps, tenant, signed, SENT_TOO_LATE)
  await deps.broadcasts.finish(row, landed)
  deps.chain.noteLanded(landed.slot)
  if (landed.error !== null) throw failedOnChain(signed, landed.error)
  return landed.slot
}

/**
 * What became of a transaction that this request did not send. A request before it, or one in another process, may have sent
 * the same bytes: what may be under way is not called unsent.
 * @param whyUnsent what its caller is told where nothing is known of it
 * @returns the slot that it landed in
 * @throws AppError broadcast_rpc_unavailable where nothing is known of it; broadcast_confirmation_timeout, confirm_transaction_failed
 */
export async function findSentBefore(
  deps: Pick<YieldDeps, 'broadcasts'>,
  tenant: Tenant,
  signed: SignedTransaction,
  whyUnsent = NOTHING_SENT,
): Promise<number> {
  const known = await deps.broadcasts.find(tenant.id, signed.signature)
  if (!known) throw new AppError('broadcast_rpc_unavailable', { details: whyUnsent })
  return endOf(signed, known) ?? unconfirmed(signed)
}

/**
 * What became of a transaction that another one is sending, or may be about to send: it is not called unsent.
 * @returns the slot that it landed in
 * @throws AppError broadcast_confirmation_timeout, confirm_transaction_failed
 */
export async function findUnderWay(
  deps: Pick<YieldDeps, 'broadcasts'>,
  tenant: Tenant,
  signed: SignedTransaction,
): Promise<number> {
  const known = await deps.broadcasts.find(tenant.id, signed.signature)
  return (known && endOf(signed, known)) ?? unconfirmed(signed)
}

/**
 * A chain that cannot be asked is not sent anything either.
 * @throws AppError broadcast_rpc_unavailable; confirm_rpc_unavailable where an earlier request may have sent it
 */
async function findBeforeSending(
  { broadcasts, chain }: BroadcastSignedDeps,
  tenant: Tenant,
  { signature }: SignedTransaction,
): Promise<SignatureStatus | undefined> {
  try {
    return await chain.findSignature(signature)
  } catch (error) {
    if (!(error instanceof AppError) || (await broadcasts.find(tenant.id, signature))) throw error
    throw new AppError('broadcast_rpc_unavailable', {
      ...(error.details !== undefined && { details: error.details }),
      cause: error,
    })
  }
}

/**
 * Sends, reads the status, and sends again what no node shows, until the transaction is final or cannot be any more. What no node has taken
 * is sent more and more rarely: it may have a blockhash that no block ever had, and each try asks nodes ten times.
 * @param isSeen whether a node shows it already
 * @returns undefined where the time was over before this request sent it, and nothing shows that anybody does so now
 */
async function waitUntilFinal(
  deps: BroadcastSignedDeps,
  row: NewBroadcast,
  signed: SignedTransaction,
  { afterSlot, mayWait }: Wait,
  isSeen: boolean,
): Promise<SignatureStatus | undefined> {
  const { chain, delay, broadcastTiming } = deps
  const after: SendAfter = { afterSlot, seenSlot: chain.newestSlot() }
  let seen = isSeen
  let mayBeUnderWay = isSeen
  let sendAt = performance.now()
  let pauseMs = broadcastTiming.resendMs
  let failedReads = 0
  while (mayWait()) {
    if (!seen && performance.now() >= sendAt) {
      const done = await sendAlone(deps, row, signed, after, mayWait)
      mayBeUnderWay ||= done !== 'too late'
      sendAt = performance.now() + pauseMs
      pauseMs = done === 'unknown' ? 2 * pauseMs : broadcastTiming.resendMs
    }
    try {
      const status = await chain.findSignature(signed.signature)
      failedReads = 0
      if (status?.isFinal) return status
      seen = status !== undefined
      mayBeUnderWay ||= seen
    } catch (error) {
      failedReads += 1
      if (failedReads >= FAILED_READS_MAX) throw error
    }
    await delay(broadcastTiming.pollMs)
  }
  return mayBeUnderWay ? unconfirmed(signed) : undefined
}

/** Where it landed; undefined where that is not known yet. @throws AppError confirm_transaction_failed */
function endOf(signed: SignedTransaction, known: KnownBroadcast): number | undefined {
  if (known.state === 'failed') throw failedOnChain(signed, known.error)
  return known.state === 'confirmed' ? known.slot : undefined
}

function unconfirmed({ signature }: SignedTransaction): never {
  throw new AppError('broadcast_confirmation_timeout', { details: `transactionHash ${signature}` })
}

function failedOnChain({ signature }: SignedTransaction, error: unknown): AppError {
  return new AppError('confirm_transaction_failed', {
    details: `transactionHash ${signature}; ${JSON.stringify(error)}`,
  })
}
