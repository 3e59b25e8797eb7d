import { Arg, Ctx, Directive, Field, ID, InputType, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql'
import { DateTime, Url } from '../../../kernel/scalars.js'
import { internalEnum, tenantOf, type SubgraphContext } from '../../../kernel/subgraph.js'
import { cardTokenEndpoint, tokenizeCard, type TokenizeCardDeps } from '../domain/charges/tokenize-card.js'
import type { RawCard } from '../model/card-input.js'
import type { CardToken } from '../rails/processor-adapter.js'
import { CardFields } from './card.inputs.js'

const TokenKindEnum = internalEnum('CardTokenKind', 'What a token stands for.', {
  card: 'A card.',
})

@InputType({ description: 'A card to be kept by the processor for one use.' })
export class TokenizedCardInput extends CardFields implements RawCard {
  @Field(() => String, { nullable: true, description: 'The brand; the processor knows it by the number.' })
  brand?: string
}

@InputType({ description: 'What to make a token of.' })
export class TokenizeCardInput {
  // The contract asks for it; to clients of the graph it would say nothing.
  @Directive('@inaccessible')
  @Field(() => TokenKindEnum, { nullable: true, description: 'Always CARD.' })
  type?: 'card'

  @Field(() => TokenizedCardInput, { description: 'The card.' })
  card!: TokenizedCardInput
}

@ObjectType({ description: 'What may be shown of a card.' })
export class CardSummary {
  @Field(() => String, { description: 'The first six digits.' })
  firstSixDigits!: string

  @Field(() => String, { description: 'The last four digits.' })
  lastFourDigits!: string

  @Field(() => String, { description: 'The name on it.' })
  holderName!: string

  @Field(() => String, { description: 'The brand.' })
  brand!: string

  @Field(() => Int, { description: 'The month in which it expires.' })
  expMonth!: number

  @Field(() => Int, { description: 'The year in which it expires, four digits.' })
  expYear!: number
}

@ObjectType('CardToken', { description: "The processor's token of a card: for one use, within 60 seconds." })
export class CardTokenType {
  @Field(() => ID, { description: 'What to send as `cardToken`.' })
  id!: string

  @Field(() => DateTime, { description: 'When it was made.' })
  createdAt!: Date

  @Field(() => DateTime, { description: 'Until when it can be used.' })
  expiresAt!: Date

  @Field(() => CardSummary, { description: 'The card.' })
  card!: CardSummary
}

@Resolver()
export class TokenizeCardResolver {
  @Query(() => Url, {
    nullable: true,
    description: 'Where a browser has the card processor keep a card for one use: POST, JSON; null without cards.',
  })
  cardTokenEndpoint(@Ctx() context: SubgraphContext<TokenizeCardDeps>): string | null {
    return cardTokenEndpoint(context.deps)
  }

  @Mutation(() => CardTokenType, {
    description: 'Has the card processor keep a card for one use. In production a browser should ask it directly.',
  })
  tokenizeCard(
    @Arg('input', () => TokenizeCardInput, { description: 'The card.' }) input: TokenizeCardInput,
    @Ctx() context: SubgraphContext<TokenizeCardDeps>,
  ): Promise<CardToken> {
    return tokenizeCard(context.deps, tenantOf(context), input)
  }
}
