import { Directive, Field, ID, InterfaceType, ObjectType } from 'type-graphql'
import type { FoundNode } from '../domain/find-node.js'

@InterfaceType({
  description: 'What can be found by its id alone.',
  resolveType: ({ __typename }: FoundNode) => __typename,
})
export abstract class Node {
  @Field(() => ID, { description: 'No two things have the same.' })
  id!: string
}

@Directive('@key(fields: "id", resolvable: false)')
@ObjectType({ description: "A person's or business's identity verification.", implements: Node })
export class KycRecord {
  @Field(() => ID, { description: 'An opaque id of the person or business.' })
  id!: string
}
