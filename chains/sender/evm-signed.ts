import type { Hex, TransactionReceipt } from 'viem'
import { AppError } from '../../kernel/errors.js'
import type { EvmChain } from '../chain.js'
import { broadcast } from '../evm/broadcast.js'
import { readFinality } from '../evm/canonical.js'
import type { EvmClient } from '../evm/client.js'
import { isKnown, readConfirmation } from '../evm/confirm.js'
import { isReplacedForGood, readNonceUse } from '../evm/find-replacement.js'
import { hasNonceGap } from '../evm/free-nonce.js'
import type { MinedTransaction } from '../evm/watch-receipts.js'
import type { Sendable } from './send-stored.js'
import type { SignedStatus } from './signed-status.js'

/** How the chain takes what somebody else has signed, for `sendStored`. All throw AppError confirm_rpc_unavailable. */
export function sendableEvm(
  client: EvmClient,
  chain: EvmChain,
  { hash, raw }: Pick<SignedEvm, 'hash' | 'raw'>,
): Sendable {
  return {
    isKnown: () => isKnown(client, hash),
    send: async () => (await broadcast(client, raw)).kind,
    // The wallet may have sent the same call with other fees, or ours is in a block that this node does not show.
    isMistaken: async ({ code }) =>
      code === 'stale_transaction_nonce' && (await readNonceUse(client, chain, raw)).kind !== 'taken',
  }
}

/** A chain to look at. */
export interface EvmLook {
  client: EvmClient
  chain: EvmChain
  /** What a watch has shown of a transaction already; undefined where nothing. */
  seen: (hash: string) => MinedTransaction | undefined
}

/** A transaction of somebody else. */
export interface SignedEvm {
  hash: Hex
  raw: Hex
  /** Since it was handed in, in milliseconds: a young one that nobody knows may only not have got around yet. */
  ageMs: number
}

/** Where it stands; with the receipt of what has landed. */
export type EvmStatus = SignedStatus<{ receipt: TransactionReceipt }>

/** A transaction that the chain does not know after this, and whose nonce is used, was replaced by another. */
const DROPPED_AFTER_MS = 600_000
/** How long a transaction is left alone that a node's pool holds. */
const POOL_GRACE_MS = 60_000
/** Nodes drop what has waited longer than this (geth: --txpool.lifetime, 3 h); we do not wait for it any more. */
const POOL_LIFE_MS = 3 * 3_600_000

/**
 * Looks once where a transaction is. A wallet that has sped it up has sent the same call under another hash, which counts.
 * @throws AppError confirm_rpc_unavailable
 */
export async function retrieveEvm(look: EvmLook, signed: SignedEvm): Promise<EvmStatus> {
  const { client, chain, seen } = look
  const { hash, raw, ageMs } = signed
  const confirmation = seen(hash) ?? (await readConfirmation(client, chain, hash))
  switch (confirmation.state) {
    case 'confirmed':
    case 'reverted':
      return endOfEvm(hash, confirmation)
    case 'confirming':
      return { kind: 'waiting' }
    case 'pending':
      return { kind: (await isStuck(client, raw, ageMs)) ? 'unknown' : 'waiting' }
    case 'unknown':
      return retrieveReplacement(look, signed)
  }
}

/** What a transaction has come to that is final by the chain's number of confirmations. */
export function endOfEvm(hash: string, { state, receipt }: MinedTransaction): EvmStatus {
  if (state === 'confirmed') return { kind: 'landed', hash, receipt }
  return { kind: 'failed', code: 'transaction_reverted', message: 'The transaction was reverted on chain.' }
}

/** Whether a transaction that waits in a pool may wait for ever: behind a nonce that nobody has sent, or for too long. */
async function isStuck(client: EvmClient, raw: Hex, ageMs: number): Promise<boolean> {
  if (ageMs > POOL_LIFE_MS) return true
  return ageMs >= POOL_GRACE_MS && hasNonceGap(client, raw)
}

/** What became of a transaction that the chain does not know: by its own nonce, which a wallet chooses itself. */
async function retrieveReplacement(look: EvmLook, signed: SignedEvm): Promise<EvmStatus> {
  const use = await readNonceUse(look.client, look.chain, signed.raw)
  if (use.kind === 'replacement') {
    return use.hash === signed.hash ? { kind: 'unknown' } : retrieveEvm(look, { ...signed, hash: use.hash })
  }
  if (use.kind === 'free' || signed.ageMs <= DROPPED_AFTER_MS) return { kind: 'unknown' }
  const message = "Another transaction of the payer took this one's place."
  return { kind: 'failed', code: 'transaction_dropped', message }
}

/** What has become of a transaction that landed; see `finalityOfEvm`. */
export type Finality = 'final' | 'waiting' | 'missing' | 'replaced' | 'reverted'

/** The block that has a transaction which landed. */
export interface LandedIn {
  blockNumber: bigint
  blockHash: Hex
  /** Whether it moved nothing there. */
  isReverted: boolean
}

/**
 * What has become of a transaction that landed. `final`: it is in a final block; `missing`: no node shows it, so its bytes are to
 * be sent again; `replaced`: a final block proves that another transaction took its nonce; `reverted`: it is in a final block, and moved
 * nothing there, as one that was sent again may. Where the branch that stayed has another version of it, that one counts.
 * @param hash under which it landed
 * @param note told of its block where that is not final
 * @throws AppError confirm_rpc_unavailable
 */
export async function finalityOfEvm(
  client: EvmClient,
  chain: EvmChain,
  raw: Hex,
  hash: Hex,
  note: (block: LandedIn) => void = () => undefined,
): Promise<Finality> {
  const confirmation = await readConfirmation(client, chain, hash)
  if ('receipt' in confirmation) {
    const { blockNumber, receipt } = confirmation
    const { blockHash, status } = receipt
    const isReverted = status !== 'success'
    const { final, hashAt } = await readFinality(client, chain, [blockNumber])
    if (hashAt(blockNumber) !== blockHash) return 'waiting'
    if (blockNumber <= final) return isReverted ? 'reverted' : 'final'
    note({ blockNumber, blockHash, isReverted })
    return 'waiting'
  }
  const use = await readNonceUse(client, chain, raw)
  if (use.kind === 'replacement')
    return use.hash === hash ? 'waiting' : finalityOfEvm(client, chain, raw, use.hash, note)
  const isOver = use.kind === 'taken' && (await isReplacedForGood(client, chain, raw, hash))
  return isOver ? 'replaced' : 'missing'
}

/** What came of bytes that were sent again: a node has them, refuses them, or did not say. */
export type SentAgain = 'sent' | 'refused' | 'unknown'

/**
 * Sends stored bytes again that had landed: a reorganisation may have dropped them. Of what the chain has it is harmless, and what
 * comes of it is looked at later.
 * @throws AppError confirm_rpc_unavailable
 */
export async function sendAgain(client: EvmClient, raw: Hex): Promise<SentAgain> {
  try {
    return (await broadcast(client, raw)).kind
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'confirm_rpc_unavailable') throw error
    return 'refused'
  }
}
