import type { Clock } from '../../../kernel/clock.js'
import type { HttpClientOptions } from '../../../kernel/http.js'
import { ProviderError } from '../../../kernel/provider-error.js'
import type { Book } from './book.js'

/** What one exchange market asks for one unit of its base currency, in its quote currency. */
export interface MarketPrice extends Book {
  /** When the price was published, or the exchange has answered, by its own clock. */
  at: Date
  /** The exchange's own name of the market, e.g. `ETHBRL`. */
  symbol: string
}

/** Where prices come from. */
export interface PriceSource {
  readonly name: string
  /** Whether it prices two currencies in either orientation, so that one question is enough. */
  readonly isEitherWay?: true
  /** The price of the market base/quote as the exchange has it, undefined where it has no such market. Throws a ProviderError. */
  price(base: string, quote: string): Promise<MarketPrice | undefined>
}

/** What a price source is made of. */
export interface PriceSourceOptions extends Omit<HttpClientOptions, 'provider'> {
  clock: Clock
  /** Refuses what the source itself is less certain of, by its word or by its offers: a decimal string. */
  confidenceMaxPercent?: string
}

/** A kind of price source that a deployment can choose by its name. */
export interface PriceSourceKind {
  readonly name: string
  readonly defaultBaseUrl: string
  create(options: PriceSourceOptions): PriceSource
}

const STALE = 'stale_price'

/** What a source throws that knows the market, but no price of it that is young enough, as the currency oracle at weekends. */
export function stalePrice(provider: string): ProviderError {
  const about = { kind: 'unavailable', retryable: true, providerCode: STALE } as const
  return new ProviderError({ provider, message: `${provider} has an old price only`, ...about })
}

const UNREAD = 'unread_market'

/** A failure of another source, where the preferred one has no such market: whether there is one nobody knows. */
export function unreadMarket(failure: unknown): unknown {
  if (!(failure instanceof ProviderError) || isStalePrice(failure)) return failure
  const { provider, kind, retryable, message } = failure
  return new ProviderError({ provider, kind, retryable, message, providerCode: UNREAD })
}

function isStalePrice(error: unknown): boolean {
  return error instanceof ProviderError && error.providerCode === STALE
}

/** Whether a failure leaves the way through another currency: not one by which sources contradict each other. */
export function mayBeCrossed(error: unknown): boolean {
  return isStalePrice(error) || (error instanceof ProviderError && error.providerCode === UNREAD)
}
