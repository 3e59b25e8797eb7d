import { isObjectType, type GraphQLResolveInfo } from 'graphql'
import { selectedFields } from '../../../kernel/selected-fields.js'
import { LISTED_PROPERTIES } from '../store/payment.entity.js'

/** Fields whose resolvers take a `ListedPayment`. */
const RESOLVED: readonly string[] = ['events', 'history', 'order', 'quote', 'sessionPayment', 'transactionHash']

/**
 * Whether a document asks for no more of payments than lists show: properties of theirs without a resolver, and the fields
 * whose resolvers need no others.
 * @param path from the field to the payments, by names
 */
export function isListedEnough(info: GraphQLResolveInfo, path: readonly string[]): boolean {
  const type = info.schema.getType('Payment')
  const fields = isObjectType(type) ? type.getFields() : {}
  const isListed = (name: string): boolean =>
    name === '__typename' ||
    RESOLVED.includes(name) ||
    ((LISTED_PROPERTIES as readonly string[]).includes(name) && !fields[name]?.resolve)
  return [...selectedFields(info, path)].every(isListed)
}
