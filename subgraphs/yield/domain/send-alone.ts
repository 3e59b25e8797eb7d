import { isRefusal, sendStored } from '../../../chains/sender/send-stored.js'
import { AppError } from '../../../kernel/errors.js'
import type { SendAfter } from '../chain/yield-chain.js'
import type { YieldDeps } from '../deps.js'
import type { NewBroadcast } from '../store/broadcasts.js'
import type { SignedTransaction } from './decode-signed.js'

export type SendAloneDeps = Pick<YieldDeps, 'broadcasts' | 'chain' | 'exclusively'>

/**
 * Writes down and sends where no other process is sending the same bytes; the lock's holder sends for all. A lock is taken by a question to
 * the database, and what is too late by its answer is not sent. It is not written down either: what is written counts as sent.
 * @returns `sent` where a node has taken it, `unknown` where it may have; `elsewhere` where another process holds the lock
 * @throws AppError as `YieldChain.send`, where nobody has sent it before
 */
export async function sendAlone(
  deps: SendAloneDeps,
  row: NewBroadcast,
  signed: SignedTransaction,
  after: SendAfter,
  mayWait: () => boolean,
): Promise<'sent' | 'unknown' | 'elsewhere' | 'too late'> {
  const done = await deps.exclusively(`yield-relay:${signed.signature}`, async () => {
    if (!mayWait()) return 'too late' as const
    return sendWritten(deps, row, signed, after)
  })
  return done?.result ?? 'elsewhere'
}

/**
 * Sends what is written down, or is written down now. What was written before may have been sent, by whichever request or process:
 * it may land, whatever a node says of it now. What was surely not sent is not kept, or it would be taken for that; nor is what can never
 * land any more, whoever has sent it: its signer is told to sign another.
 */
async function sendWritten(
  deps: SendAloneDeps,
  row: NewBroadcast,
  signed: SignedTransaction,
  after: SendAfter,
): Promise<'sent' | 'unknown'> {
  const isKnown = () => isOnChain(deps, signed)
  const wasSent = (await deps.broadcasts.find(row.tenantId, row.signature)) !== undefined
  if (!wasSent) await deps.broadcasts.add(row)
  try {
    // Another node may be behind the one that refuses it, and the transaction in a block that it has not seen.
    return await sendStored({ wasSent, isKnown, send: () => deps.chain.send(signed, after), isMistaken: isKnown })
  } catch (error) {
    if (isExpired(error) || (!wasSent && isUnsent(error))) await deps.broadcasts.remove(row)
    throw error
  }
}

/** Whether an error of a first send says that no node has taken the transaction. */
function isUnsent(error: unknown): boolean {
  return isRefusal(error) || (error instanceof AppError && error.code === 'broadcast_rpc_unavailable')
}

/** Whether an error says of whatever was sent that it is proven never to land. */
function isExpired(error: unknown): boolean {
  return error instanceof AppError && error.code === 'solana_blockhash_expired'
}

/** Whether a node shows the transaction; one that cannot be asked does not. */
async function isOnChain({ chain }: SendAloneDeps, { signature }: SignedTransaction): Promise<boolean> {
  return chain.findSignature(signature).then(
    (status) => status !== undefined,
    () => false,
  )
}
