import { createHash } from 'node:crypto'
import bs58 from 'bs58'

/** Klend counts two slots a second (SLOTS_PER_YEAR 63 072 000), so a slot has to follow the clock, not the transactions. */
export const SLOTS_PER_SECOND = 2
/** A block's height is behind its slot, as some slots stay empty; this much makes it about mainnet's. */
const HEIGHT_BEHIND_SLOT = 3_200_000_000
/** A blockhash can be used for this many blocks after its own (solana-clock: MAX_PROCESSING_AGE). */
const BLOCKHASH_LIFE_BLOCKS = 150

/** A block of the chain: there is one at every tick of the clock, a second. */
export interface Block {
  slot: number
  height: number
  unixSeconds: number
}

/** The chain's time, derived from a clock alone: nothing of it has to be stored but how far it has come. */
export interface Slots {
  /** The present block. Time never goes back. */
  current: () => Block
  /** The present block's hash, base58, and the last height at which it can be used. */
  latestBlockhash: () => { blockhash: string; lastValidBlockHeight: number }
  isBlockhashValid: (blockhash: string) => boolean
  /** The hash of the block at a slot, base58. */
  blockhashOf: (slot: number) => string
}

/**
 * Time for a chain.
 * @param nowMs the clock, in milliseconds since 1970
 * @param notBeforeSeconds how far the chain has come before, in seconds since 1970
 */
export function createSlots(nowMs: () => number, notBeforeSeconds = 0): Slots {
  let reachedSeconds = notBeforeSeconds
  const current = (): Block => {
    reachedSeconds = Math.max(reachedSeconds, Math.floor(nowMs() / 1000))
    const slot = reachedSeconds * SLOTS_PER_SECOND
    return { slot, height: slot - HEIGHT_BEHIND_SLOT, unixSeconds: reachedSeconds }
  }
  return {
    current,
    blockhashOf,
    latestBlockhash: () => {
      const { slot, height } = current()
      return { blockhash: blockhashOf(slot), lastValidBlockHeight: height + BLOCKHASH_LIFE_BLOCKS }
    },
    isBlockhashValid: (blockhash) => {
      const { slot } = current()
      for (let age = 0; age <= BLOCKHASH_LIFE_BLOCKS; age += SLOTS_PER_SECOND) {
        if (blockhashOf(slot - age) === blockhash) return true
      }
      return false
    },
  }
}

const known = new Map<number, string>()

/** A block's hash is a function of its slot, so that every hash that was ever handed out is known again after a crash. */
function blockhashOf(slot: number): string {
  const remembered = known.get(slot)
  if (remembered !== undefined) return remembered
  const blockhash = bs58.encode(createHash('sha256').update(`sandbox block ${slot}`).digest())
  if (known.size > 1_000) known.clear()
  known.set(slot, blockhash)
  return blockhash
}
