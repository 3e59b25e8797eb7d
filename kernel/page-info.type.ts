import { Directive, Field, ObjectType } from 'type-graphql'
import type { PageInfo } from './connection.js'

@Directive('@shareable')
@ObjectType('PageInfo', { description: 'Where a page of a connection stands.' })
export class PageInfoType implements PageInfo {
  @Field(() => Boolean, { description: 'Whether more follow.' })
  hasNextPage!: boolean

  @Field(() => Boolean, { description: 'Whether there are some before.' })
  hasPreviousPage!: boolean

  @Field(() => String, { nullable: true, description: 'The cursor of the first; null on an empty page.' })
  startCursor!: string | null

  @Field(() => String, { nullable: true, description: 'The cursor of the last; null on an empty page.' })
  endCursor!: string | null
}
