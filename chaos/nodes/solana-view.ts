import { createSlots } from '../../sandbox/solana/slots.js'
import type { AskForResult, RpcOutcome } from './json-rpc.js'

/** How far one simulated node has come. */
export interface SlotView {
  /** The real node, without errors. */
  read: AskForResult
  /** How many slots it is behind. */
  lag: number
  /** Its newest slot. */
  processed: number
  /** Its newest slot of a commitment; Solana's own default is `finalized`. */
  slotOf: (commitment: unknown) => Promise<number>
  /** The newest slot that its store of transactions has: a thread of its own fills that, and may fall behind unseen. */
  stored: number
}

/** A status cache holds so many slots (agave: MAX_RECENT_BLOCKHASHES); what is older is looked up in the store. */
export const STATUS_CACHE_SLOTS = 300
/** A blockhash can be used for so many blocks. */
const BLOCKHASH_LIFE_BLOCKS = 150

/**
 * Reads how far a node has come.
 * @param options.lag in slots; an even number, as the sandbox has a block in every second slot
 * @param options.storeLag how many slots the store of transactions is behind the node
 */
export async function readSlotView(
  read: AskForResult,
  { lag, storeLag }: { lag: number; storeLag: number },
): Promise<SlotView> {
  const slotOf = async (commitment: unknown): Promise<number> => {
    const known = typeof commitment === 'string' ? commitment : 'finalized'
    return Number(await read('getSlot', [{ commitment: known }])) - lag
  }
  const processed = await slotOf('processed')
  return { read, lag, processed, slotOf, stored: processed - storeLag }
}

/** The configuration among a call's parameters; an empty one where the caller sent none. */
export function configOf(params: readonly unknown[]): Readonly<Record<string, unknown>> {
  const found = params.findLast((param) => typeof param === 'object' && param !== null && !Array.isArray(param))
  return (found ?? {}) as Readonly<Record<string, unknown>>
}

/** Refuses a call that wants a slot which the node has not reached (agave: custom_error.rs). */
export async function contextRefusal(view: SlotView, params: readonly unknown[]): Promise<RpcOutcome | undefined> {
  const { minContextSlot, commitment } = configOf(params)
  if (typeof minContextSlot !== 'number') return undefined
  const slot = await view.slotOf(commitment)
  if (minContextSlot <= slot) return undefined
  const error = { code: -32016, message: 'Minimum context slot has not been reached', data: { contextSlot: slot } }
  return { error }
}

const { blockhashOf } = createSlots(() => 0)

/** The blockhash as the node has it: of the block that is as much older as the node is behind. */
export function olderBlockhash({ lag, processed }: SlotView, blockhash: string): string {
  for (let slot = processed + lag; slot > processed + lag - BLOCKHASH_LIFE_BLOCKS; slot -= 1) {
    if (blockhashOf(slot) === blockhash) return blockhashOf(slot - lag)
  }
  return blockhash
}

/** Whether the node has a block with this hash, young enough for a transaction. */
export function knowsBlockhash({ processed }: SlotView, blockhash: string): boolean {
  for (let slot = processed; slot >= processed - BLOCKHASH_LIFE_BLOCKS; slot -= 1) {
    if (blockhashOf(slot) === blockhash) return true
  }
  return false
}
