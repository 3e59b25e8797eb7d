import type { DurableNonce } from '../../../chains/solana/durable-nonces.js'
import type { Payout } from '../store/payout.entity.js'
import type { Preparation, PreparedBatch } from './payout-chain.js'
import { inParts } from './solana-nonces.js'

/** Payouts of one token that go as one transaction. */
export interface Batch {
  payouts: readonly Payout[]
  /** Whether their receivers' accounts were there when they were looked for. One may be closed since: then the batch fails. */
  haveAccounts: boolean
}

/** Why a transaction was not signed. A nonce is not ready in the block that gave it its value. */
export interface Unsigned {
  reason: string
  isNonceUnready: boolean
}

/** Batches that are simulated and signed at once. */
const SIGNED_AT_ONCE = 8
/** So many receivers fit into one transaction, each with the instruction that creates its account, beside a memo and a nonce. */
const NEW_LEGS_MAX = 7
/** The same of receivers whose accounts are there, or who get the coin. */
export const KNOWN_LEGS_MAX = 15

/**
 * Payouts of one token, as many as fit into a transaction: those whose receivers have their accounts apart from the others, and those
 * that would have failed before apart from all that may be good. The batch of the payout that comes first is the first.
 * @param missing those whose receivers have no account
 */
export function batchesOf(payouts: readonly Payout[], missing: ReadonlySet<Payout>): Batch[] {
  const kindOf = (payout: Payout): string => `${payout.symbol} ${missing.has(payout)} ${payout.failedTries > 0}`
  const batches = [...Map.groupBy(payouts, kindOf).values()].flatMap((alike) => {
    const haveAccounts = alike.every((payout) => !missing.has(payout))
    return inParts(alike, haveAccounts ? KNOWN_LEGS_MAX : NEW_LEGS_MAX).map((some) => ({ payouts: some, haveAccounts }))
  })
  const places = new Map(payouts.map((payout, place) => [payout, place]))
  const placeOf = ({ payouts: [first] }: Batch): number => (first && places.get(first)) ?? 0
  return batches.toSorted((left, right) => placeOf(left) - placeOf(right))
}

/**
 * Signs as many batches as there are nonces that are ready. One that would fail is tried in halves, as one payout that fails would
 * fail them all; those that no nonce is left for wait.
 * @param sign signs a batch for a nonce, or says why it would fail
 */
export async function signEach(
  batches: readonly Batch[],
  free: readonly DurableNonce[],
  sign: (batch: Batch, nonce: DurableNonce) => Promise<PreparedBatch | Unsigned>,
): Promise<{ prepared: PreparedBatch[]; failing: Preparation['failing'] }> {
  const left = [...free]
  const waiting = [...batches]
  const prepared: PreparedBatch[] = []
  const failing: { payout: Payout; reason: string }[] = []
  const signNext = async (): Promise<void> => {
    for (let batch = waiting.shift(); batch; batch = waiting.shift()) {
      const nonce = left.shift()
      if (!nonce) return
      const signed = await sign(batch, nonce)
      if ('hash' in signed) prepared.push(signed)
      else if (signed.isNonceUnready) waiting.unshift(batch)
      else {
        left.unshift(nonce)
        const parts = partsOf(batch)
        waiting.unshift(...parts)
        if (parts.length === 0) failing.push(...batch.payouts.map((payout) => ({ payout, reason: signed.reason })))
      }
    }
  }
  await Promise.all(Array.from({ length: SIGNED_AT_ONCE }, signNext))
  return { prepared, failing }
}

/** What a batch that would fail is tried as: its halves; of one payout the same, in case that its receiver's account is closed since. */
function partsOf({ payouts, haveAccounts }: Batch): Batch[] {
  if (payouts.length > 1)
    return inParts(payouts, Math.ceil(payouts.length / 2)).map((some) => ({ payouts: some, haveAccounts }))
  return haveAccounts ? [{ payouts, haveAccounts: false }] : []
}
