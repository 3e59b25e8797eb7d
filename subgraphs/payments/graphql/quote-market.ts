import { Arg, Ctx, ObjectType, Query, Resolver } from 'type-graphql'
import { Decimal } from '../../../kernel/scalars.js'
import { Fields } from '../../../kernel/subgraph-fields.js'
import type { SubgraphContext } from '../../../kernel/subgraph.js'
import type { PresentedMarket } from '../prices/present-market.js'
import type { MarketQuestion } from '../prices/quote-market.js'

/** What the quote service needs. */
export interface QuoteMarketDeps {
  /** Throws params_mismatch, pair_not_found, provider_unavailable, provider_timeout. */
  quoteMarket: (question: MarketQuestion) => Promise<PresentedMarket>
}

@Fields<PresentedMarket['requested']>('answer', {
  from: { type: () => String, description: 'The currency priced.' },
  to: { type: () => String, description: 'The currency it is priced in.' },
  price: { type: () => Decimal, description: 'How much `to` one `from` is.' },
  description: { type: () => String, description: 'A sentence such as "1 ETH = 18250.5 BRL".' },
})
@ObjectType({ description: 'A price of one unit.' })
export class MarketRate {}

@Fields<PresentedMarket['market']>('answer', {
  symbol: { type: () => String, description: 'The symbol, e.g. `ETHBRL`.' },
  price: { type: () => Decimal, description: 'The price.' },
})
@ObjectType({ description: 'A market and its price.' })
export class MarketPrice {}

@Fields<PresentedMarket['exchange']>('answer', {
  symbol: { type: () => String, description: 'The symbol, e.g. `ETHBRL`.' },
  base: { type: () => String, description: 'The currency priced.' },
  quote: { type: () => String, description: 'The currency it is priced in.' },
  meaning: { type: () => String, description: 'What the price says, for people.' },
})
@ObjectType({ description: "How the exchange's symbol reads." })
export class ExchangeSymbol {}

@Fields<NonNullable<PresentedMarket['route']>['legs'][number]>('answer', {
  symbol: { type: () => String, description: 'The symbol, e.g. `POLUSDT`.' },
  base: { type: () => String, description: 'The currency priced.' },
  quote: { type: () => String, description: 'The currency it is priced in.' },
  price: { type: () => Decimal, description: 'The price.' },
  description: { type: () => String, description: 'A sentence such as "1 POL = 0.25 USDT".' },
})
@ObjectType({ description: 'One market of a cross.' })
export class MarketLeg {}

@Fields<NonNullable<PresentedMarket['route']>>('answer', {
  legs: { type: () => [MarketLeg], atMost: 2, description: 'The markets, in order.' },
})
@ObjectType({
  description:
    'The cross that a price comes from: one market has the first currency against USDT, the other USDT against the second.',
})
export class MarketRoute {}

@Fields<PresentedMarket>('answer', {
  symbol: { type: () => String, description: 'The symbol that the price is from.' },
  price: { type: () => Decimal, description: 'The price of the symbol.' },
  source: { type: () => String, description: 'Whose price it is.' },
  market: { type: () => MarketPrice, description: 'The market.' },
  exchange: { type: () => ExchangeSymbol, description: 'How its symbol reads.' },
  rates: { type: () => [MarketRate], atMost: 2, description: 'The price both ways.' },
  requested: { type: () => MarketRate, description: 'The price the way it was asked for.' },
  route: { type: () => MarketRoute, nullable: true, description: 'Set where no market has both currencies.' },
})
@ObjectType({ description: 'The price of a pair of currencies.' })
export class MarketQuote {}

@Resolver()
export class QuoteMarketResolver {
  @Query(() => MarketQuote, {
    nullable: true,
    description: 'The price of a pair: from and to, or a pair, or two symbols in any order.',
  })
  marketQuote(
    @Arg('from', () => String, { nullable: true, description: 'E.g. `ETH`.' }) from: string | null,
    @Arg('to', () => String, { nullable: true, description: 'E.g. `BRL`.' }) to: string | null,
    @Arg('pair', () => String, { nullable: true, description: 'E.g. `ETHUSDT`.' }) pair: string | null,
    @Arg('tryOne', () => String, { nullable: true, description: 'One of two symbols.' }) tryOne: string | null,
    @Arg('tryTwo', () => String, { nullable: true, description: 'The other.' }) tryTwo: string | null,
    @Ctx() context: SubgraphContext<QuoteMarketDeps>,
  ): Promise<PresentedMarket> {
    return context.deps.quoteMarket({ from, to, pair, tryOne, tryTwo })
  }
}
