import type { Clock } from '../../../kernel/clock.js'
import type { HttpClientOptions } from '../../../kernel/http.js'

/** What one exchange market asks for one unit of its base currency, in its quote currency. */
export interface MarketPrice {
  /** A positive decimal string without superfluous zeros. */
  price: string
  /** Whose price it is, where it may be another's than the source that was asked. */
  source?: string
  /** When the exchange was asked, or the price was published. */
  at: Date
  /** The exchange's own name of the market, e.g. `ETHBRL`. */
  symbol: string
}

/** Where prices come from. */
export interface PriceSource {
  readonly name: string
  /** The price of the market base/quote as the exchange has it, undefined where it has no such market. Throws a ProviderError. */
  price(base: string, quote: string): Promise<MarketPrice | undefined>
}

/** What a price source is made of. */
export interface PriceSourceOptions extends Omit<HttpClientOptions, 'provider'> {
  clock: Clock
}

/** A kind of price source that a deployment can choose by its name. */
export interface PriceSourceKind {
  readonly name: string
  readonly defaultBaseUrl: string
  create(options: PriceSourceOptions): PriceSource
}
