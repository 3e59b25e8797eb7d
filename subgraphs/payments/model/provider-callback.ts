import type { Refund } from './charge.js'

/** A request to our callback address, as it came. */
export interface Callback {
  /** What follows `/callbacks/<rail>/` in its path. */
  path: string
  /** The header of that name. */
  authorization?: string | null | undefined
  body: string
}

/** One thing that a callback tells of. */
export interface CallbackItem {
  /** The same thing told again has the same key. */
  eventKey: string
  /** The item's part of the body. */
  content: string
  /** Which charge to ask the provider about, where the item says so. */
  reference: string | undefined
  /** The movement it is about; the provider's answer should show it. */
  receiptId: string | undefined
  /** What the provider's answer has to show to be no older than this; undefined where the item does not say. */
  expected?: ExpectedAnswer | undefined
}

/** By what an answer is told from one that is older than what a callback tells of. */
export interface ExpectedAnswer {
  /** When the provider has changed its charge, where it tells that money went back: ISO 8601. */
  changedAt?: string
  /** How far refunds of the movement are. */
  refunds?: readonly Pick<Refund, 'id' | 'status'>[]
}
