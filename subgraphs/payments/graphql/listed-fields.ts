import { isObjectType, type GraphQLResolveInfo, type GraphQLSchema } from 'graphql'
import { selectedFields } from '../../../kernel/selected-fields.js'
import { LISTED_PROPERTIES, type ListedProperty } from '../store/payment.entity.js'

/** Fields whose resolvers take a `ListedPayment`, and what they read of it besides what each payment is known by. */
const READ_BY_RESOLVERS: Readonly<Record<string, readonly ListedProperty[]>> = {
  __typename: [],
  events: [],
  history: [],
  order: ['orderCode'],
  quote: ['quoteId'],
  sessionPayment: ['createdAt'],
  transactionHash: ['tidHash'],
}

/** A document that is kept selects the same fields each time. */
const known = new WeakMap<ReadonlySet<string>, readonly ListedProperty[] | undefined>()

/**
 * The properties of payments that a document asks for, where lists show them all: properties without a resolver, and what the fields
 * read whose resolvers need no others.
 * @param path from the field to the payments, by names
 * @returns in the order of `LISTED_PROPERTIES`; undefined where the document asks for more
 */
export function listedProperties(
  info: GraphQLResolveInfo,
  path: readonly string[],
): readonly ListedProperty[] | undefined {
  const selected = selectedFields(info, path)
  if (!known.has(selected)) known.set(selected, propertiesFor(selected, info.schema))
  return known.get(selected)
}

function propertiesFor(selected: ReadonlySet<string>, schema: GraphQLSchema): readonly ListedProperty[] | undefined {
  const type = schema.getType('Payment')
  const fields = isObjectType(type) ? type.getFields() : {}
  const read = new Set<ListedProperty>(['tenantId', 'id'])
  for (const name of selected) {
    const property = LISTED_PROPERTIES.find((listed) => listed === name && !fields[name]?.resolve)
    const properties = property ? [property] : READ_BY_RESOLVERS[name]
    if (!properties) return undefined
    for (const one of properties) read.add(one)
  }
  return LISTED_PROPERTIES.filter((property) => read.has(property))
}
