import { Arg, Ctx, Directive, Field, ID, InputType, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql'
import { DateTime, Url } from '../../../kernel/scalars.js'
import { Fields } from '../../../kernel/subgraph-fields.js'
import { internalEnum, tenantOf, type SubgraphContext } from '../../../kernel/subgraph.js'
import {
  cardTokenEndpoint,
  tokenizeCard,
  type TokenizeCardDeps,
  type TokenizeCardInput as Input,
} from '../domain/charges/tokenize-card.js'
import type { CardToken } from '../rails/processor-adapter.js'
import { CardFields } from './card.inputs.js'

const TokenKindEnum = internalEnum('CardTokenKind', 'What a token stands for.', {
  card: 'A card.',
})

@InputType({ description: 'A card to be kept by the processor for one use.' })
export class TokenizedCardInput extends CardFields {
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

@Fields<CardToken['card']>('answer', {
  firstSixDigits: { type: () => String, description: 'The first six digits.' },
  lastFourDigits: { type: () => String, description: 'The last four digits.' },
  holderName: { type: () => String, description: 'The name on it.' },
  brand: { type: () => String, description: 'The brand.' },
  expMonth: { type: () => Int, description: 'The month in which it expires.' },
  expYear: { type: () => Int, description: 'The year in which it expires, four digits.' },
})
@ObjectType({ description: 'What may be shown of a card.' })
export class CardSummary {}

@Fields<CardToken>('answer', {
  id: { type: () => ID, description: 'What to send as `cardToken`.' },
  createdAt: { type: () => DateTime, description: 'When it was made.' },
  expiresAt: { type: () => DateTime, description: 'Until when it can be used.' },
  card: { type: () => CardSummary, description: 'The card.' },
})
@ObjectType('CardToken', { description: "The processor's token of a card: for one use, within 60 seconds." })
export class CardTokenType {}

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
    @Arg('input', () => TokenizeCardInput, { description: 'The card.' }) input: Input,
    @Ctx() context: SubgraphContext<TokenizeCardDeps>,
  ): Promise<CardToken> {
    return tokenizeCard(context.deps, tenantOf(context), input)
  }
}
