import { Directive, Field, ObjectType } from 'type-graphql'

/** A field that is not acceptable, as one subgraph tells another; see `errors.ts`. */
@Directive('@shareable')
@Directive('@inaccessible')
@ObjectType('FieldFailure', { description: 'A field that is not acceptable.' })
export class FieldFailureType {
  @Field(() => String, { description: 'The dotted path.' })
  field!: string

  @Field(() => String, { description: 'What is wrong with it.' })
  message!: string
}
