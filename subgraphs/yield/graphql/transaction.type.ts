import { Field, Int, ObjectType } from 'type-graphql'

@ObjectType({ description: 'An unsigned Solana transaction; only the wallet has to sign it.' })
export class YieldTransaction {
  @Field(() => String, { description: 'The wire in base64.' })
  transaction!: string

  @Field(() => String, { description: 'The blockhash that it is good with.' })
  recentBlockhash!: string

  @Field(() => Int, { description: 'The last block height at which it can land.' })
  lastValidBlockHeight!: number
}
