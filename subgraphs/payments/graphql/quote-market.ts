import { Arg, Ctx, Field, ObjectType, Query, Resolver } from 'type-graphql'
import { Decimal } from '../../../kernel/scalars.js'
import type { SubgraphContext } from '../../../kernel/subgraph.js'
import type { PresentedMarket } from '../prices/present-market.js'
import type { MarketQuestion } from '../prices/quote-market.js'

/** What the quote service needs. */
export interface QuoteMarketDeps {
  /** Throws params_mismatch, pair_not_found, provider_unavailable, provider_timeout. */
  quoteMarket: (question: MarketQuestion) => Promise<PresentedMarket>
}

@ObjectType({ description: 'A price of one unit.' })
export class MarketRate {
  @Field(() => String, { description: 'The currency priced.' })
  from!: string

  @Field(() => String, { description: 'The currency it is priced in.' })
  to!: string

  @Field(() => Decimal, { description: 'How much `to` one `from` is.' })
  price!: string

  @Field(() => String, { description: 'A sentence such as "1 ETH = 18250.5 BRL".' })
  description!: string
}

@ObjectType({ description: 'A market and its price.' })
export class MarketPrice {
  @Field(() => String, { description: 'The symbol, e.g. `ETHBRL`.' })
  symbol!: string

  @Field(() => Decimal, { description: 'The price.' })
  price!: string
}

@ObjectType({ description: "How the exchange's symbol reads." })
export class ExchangeSymbol {
  @Field(() => String, { description: 'The symbol, e.g. `ETHBRL`.' })
  symbol!: string

  @Field(() => String, { description: 'The currency priced.' })
  base!: string

  @Field(() => String, { description: 'The currency it is priced in.' })
  quote!: string

  @Field(() => String, { description: 'What the price says, for people.' })
  meaning!: string
}

@ObjectType({ description: 'One market of a cross.' })
export class MarketLeg {
  @Field(() => String, { description: 'The symbol, e.g. `POLUSDT`.' })
  symbol!: string

  @Field(() => String, { description: 'The currency priced.' })
  base!: string

  @Field(() => String, { description: 'The currency it is priced in.' })
  quote!: string

  @Field(() => Decimal, { description: 'The price.' })
  price!: string

  @Field(() => String, { description: 'A sentence such as "1 POL = 0.25 USDT".' })
  description!: string
}

@ObjectType({
  description:
    'The cross that a price comes from: one market has the first currency against USDT, the other USDT against the second.',
})
export class MarketRoute {
  @Field(() => [MarketLeg], { description: 'The markets, in order.' })
  legs!: MarketLeg[]
}

@ObjectType({ description: 'The price of a pair of currencies.' })
export class MarketQuote {
  @Field(() => String, { description: 'The symbol that the price is from.' })
  symbol!: string

  @Field(() => Decimal, { description: 'The price of the symbol.' })
  price!: string

  @Field(() => String, { description: 'Whose price it is.' })
  source!: string

  @Field(() => MarketPrice, { description: 'The market.' })
  market!: MarketPrice

  @Field(() => ExchangeSymbol, { description: 'How its symbol reads.' })
  exchange!: ExchangeSymbol

  @Field(() => [MarketRate], { description: 'The price both ways.' })
  rates!: MarketRate[]

  @Field(() => MarketRate, { description: 'The price the way it was asked for.' })
  requested!: MarketRate

  @Field(() => MarketRoute, { nullable: true, description: 'Set where no market has both currencies.' })
  route?: MarketRoute
}

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
