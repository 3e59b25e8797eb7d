/** Two currencies, the first in the alphabet first. */
export interface CurrencyPair {
  base: string
  quote: string
}

/** A price that is too far from the accepted one, and how often in a row it was read. */
export interface HeldPrice {
  rate: string
  readings: number
  at: Date
}

/** The last price of a pair by which money moved: what one `base` buys of `quote`. */
export interface AcceptedPrice extends CurrencyPair {
  rate: string
  acceptedAt: Date
  held: HeldPrice | undefined
}

/** What to do with a price, and what to keep of it; nothing where `next` is absent. */
export interface Judgement {
  isAccepted: boolean
  next?: Omit<AcceptedPrice, keyof CurrencyPair>
}
