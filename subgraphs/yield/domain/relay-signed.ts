import { AppError } from '../../../kernel/errors.js'
import { waitDeadline } from '../../../kernel/deadline.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { SignatureStatus } from '../chain/yield-chain.js'
import type { YieldDeps } from '../deps.js'
import type { SignedTransaction } from './decode-signed.js'

/** How often in a row the chain may fail to tell before a relay gives up asking. */
const FAILED_LOOKS_MAX = 5

/**
 * Sees to it that a signed transaction lands, once, and waits until it is final. The chain is asked before anything is
 * sent, and only one process at a time sends; a transaction cannot land twice, as the chain knows its signature.
 * @param afterSlot the slot of the transaction that this one builds upon: a node that has not seen it refuses to try
 * @returns the slot that it landed in
 * @throws AppError solana_blockhash_expired, broadcast_simulation_failed, broadcast_rejected, broadcast_rpc_unavailable,
 *   confirm_transaction_failed, confirm_rpc_unavailable, broadcast_confirmation_timeout, signed_transaction_missing
 */
export function relaySigned(
  deps: YieldDeps,
  tenant: Tenant,
  signed: SignedTransaction,
  afterSlot: number | undefined,
): Promise<number> {
  const key = `${tenant.id} ${signed.signature}`
  const underWay =
    deps.relaying.get(key) ?? relayOnce(deps, tenant, signed, afterSlot).finally(() => deps.relaying.delete(key))
  deps.relaying.set(key, underWay)
  return underWay
}

async function relayOnce(
  deps: YieldDeps,
  tenant: Tenant,
  signed: SignedTransaction,
  afterSlot: number | undefined,
): Promise<number> {
  const known = await deps.relays.find(tenant.id, signed.signature)
  if (known?.state === 'confirmed') return known.slot
  if (known?.state === 'failed') throw failedOnChain(signed, known.error)
  const status = await lookBeforeSending(deps, signed)
  if (!known) await deps.relays.add({ tenantId: tenant.id, ...signed, chainName: deps.chain.name })
  const landed = status?.isFinal ? status : await waitUntilFinal(deps, signed, afterSlot, status !== undefined)
  await deps.relays.finish(tenant.id, signed.signature, landed)
  if (landed.error !== null) throw failedOnChain(signed, landed.error)
  return landed.slot
}

/** A chain that cannot be asked is not sent anything either. */
async function lookBeforeSending({ chain }: YieldDeps, { signature }: SignedTransaction) {
  try {
    return await chain.findSignature(signature)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new AppError('broadcast_rpc_unavailable', {
      ...(error.details !== undefined && { details: error.details }),
      cause: error,
    })
  }
}

/** Sends, looks, and sends again what no node shows, until the transaction is final or cannot be any more. */
async function waitUntilFinal(
  deps: YieldDeps,
  signed: SignedTransaction,
  afterSlot: number | undefined,
  isKnown: boolean,
): Promise<SignatureStatus> {
  const { chain, delay, relayTiming } = deps
  const seenSlot = chain.newestSlot()
  let seen = isKnown
  let wasSent = false
  let sendAt = performance.now()
  let failedLooks = 0
  const mayWait = waitDeadline(relayTiming.waitMs, deps.isStopping)
  while (mayWait()) {
    if (!seen && performance.now() >= sendAt) {
      wasSent = (await sendAlone(deps, signed, { afterSlot, wasSent, seenSlot })) || wasSent
      sendAt = performance.now() + relayTiming.resendMs
    }
    try {
      const status = await chain.findSignature(signed.signature)
      failedLooks = 0
      if (status?.isFinal) return status
      seen = status !== undefined
    } catch (error) {
      failedLooks += 1
      if (failedLooks >= FAILED_LOOKS_MAX) throw error
    }
    await delay(relayTiming.pollMs)
  }
  throw new AppError('broadcast_confirmation_timeout', { details: `transactionHash ${signed.signature}` })
}

/** How a transaction is sent: after which slot, whether it was taken by a node before, and a slot at which it was signed. */
interface Sending {
  afterSlot: number | undefined
  wasSent: boolean
  seenSlot: number
}

/** Sends where nobody else is sending the same; whoever holds the lock sends for all. @returns whether it may have arrived */
async function sendAlone(deps: YieldDeps, signed: SignedTransaction, sending: Sending): Promise<boolean> {
  const done = await deps.exclusively(`yield-relay:${signed.signature}`, async () => {
    // Between our look and the lock another process may have sent it.
    if (!(await isOnChain(deps, signed))) await send(deps, signed, sending)
    return true
  })
  return done !== undefined
}

async function send(deps: YieldDeps, signed: SignedTransaction, sending: Sending): Promise<void> {
  const { afterSlot, wasSent, seenSlot } = sending
  const outcome = await deps.chain.send(signed.wire, afterSlot)
  switch (outcome.kind) {
    case 'sent':
    case 'processed':
    case 'unknown':
      return
    case 'unavailable':
      if (wasSent) return
      throw new AppError('broadcast_rpc_unavailable', { details: outcome.reason })
    case 'failed_simulation':
    case 'refused':
    case 'bad_signature':
    case 'expired':
      // What was taken before may land still, whatever a node says of sending it again, until its blockhash has expired.
      if (wasSent && outcome.kind !== 'expired') return
      // Another node may be behind the one that says so, and the transaction in a block that it has not seen.
      if (outcome.kind === 'expired' && (await mayTurnUp(deps, signed, seenSlot))) return
      if (await isOnChain(deps, signed)) return
      throw new AppError(REFUSALS[outcome.kind], { details: outcome.details })
  }
}

const REFUSALS = {
  expired: 'solana_blockhash_expired',
  failed_simulation: 'broadcast_simulation_failed',
  refused: 'broadcast_rejected',
  bad_signature: 'signed_transaction_missing',
} as const

/** Whether the transaction could be on the chain without any node showing it yet; taken to be so where nobody can tell. */
async function mayTurnUp({ chain }: YieldDeps, signed: SignedTransaction, seenSlot: number): Promise<boolean> {
  return chain.isDead(signed, seenSlot).then(
    (isDead) => !isDead,
    () => true,
  )
}

/** Whether a node shows the transaction; one that cannot be asked does not. */
async function isOnChain({ chain }: YieldDeps, { signature }: SignedTransaction): Promise<boolean> {
  return chain.findSignature(signature).then(
    (status) => status !== undefined,
    () => false,
  )
}

function failedOnChain({ signature }: SignedTransaction, error: unknown): AppError {
  return new AppError('confirm_transaction_failed', {
    details: `transactionHash ${signature}; ${JSON.stringify(error)}`,
  })
}
