import { Directive, ObjectType } from 'type-graphql'
import { Fields } from './subgraph-fields.js'
import type { PageInfo } from './connection.js'

@Directive('@shareable')
@Fields<PageInfo>('answer', {
  hasNextPage: { type: () => Boolean, description: 'Whether more follow.' },
  hasPreviousPage: { type: () => Boolean, description: 'Whether there are some before.' },
  startCursor: { type: () => String, description: 'The cursor of the first; null on an empty page.', nullable: true },
  endCursor: { type: () => String, description: 'The cursor of the last; null on an empty page.', nullable: true },
})
@ObjectType('PageInfo', { description: 'Where a page of a connection stands.' })
export class PageInfoType {}
