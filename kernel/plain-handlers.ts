import { getMetadataStorage } from 'type-graphql'
import { serially } from './yielding.js'

type Handler = (root: unknown, args: Record<string, unknown>, context: unknown, info: unknown) => unknown
type ResolverClass = new () => object
type Metadata = ReturnType<typeof getMetadataStorage>
type FieldResolver = Metadata['fieldResolvers'][number]
type Method = Pick<FieldResolver, 'target' | 'methodName' | 'schemaName' | 'params'>

/**
 * Calls the methods of resolver classes with their arguments as GraphQL read them. TypeGraphQL would sort the parameters
 * and copy every input into an instance of its class, field by field, at each call: a tenth of a mutation, for classes
 * that have no methods.
 * @param handlers TypeGraphQL's own by type and field, changed in place
 * @param classes those whose methods they are
 * @param instanceOf the one instance of a class
 */
export function usePlainHandlers(
  handlers: Record<string, Record<string, unknown>>,
  classes: readonly ResolverClass[],
  instanceOf: (type: ResolverClass) => object,
): void {
  const { queries, mutations, fieldResolvers, objectTypes } = getMetadataStorage()
  const names = new Map<unknown, string>(objectTypes.map(({ target, name }) => [target, name]))
  const replace = (type: string | undefined, method: Method, wrap = (handler: Handler) => handler): void => {
    const fields = type === undefined ? undefined : handlers[type]
    if (!fields || !classes.includes(method.target as ResolverClass)) return
    fields[method.schemaName] = wrap(plainHandler(method, instanceOf(method.target as ResolverClass)))
  }
  for (const query of queries) replace('Query', query as Method, takingTurns)
  for (const mutation of mutations) replace('Mutation', mutation as Method)
  for (const field of fieldResolvers) replace(names.get(field.getObjectType?.()), field)
}

/** Root fields of a large answer run one after the other, those of others at once. */
function takingTurns(handler: Handler): Handler {
  return (root, args, context, info) =>
    (context as { yieldsToOthers?: boolean }).yieldsToOthers
      ? serially(context as object, () => handler(root, args, context, info))
      : handler(root, args, context, info)
}

function plainHandler({ methodName, params = [] }: Method, instance: object): Handler {
  const methods = instance as Record<string, (...values: unknown[]) => unknown>
  const readers = params.toSorted((left, right) => left.index - right.index).map(readerOf)
  return (root, args, context, info) => methods[methodName]?.(...readers.map((read) => read(root, args, context, info)))
}

function readerOf(param: NonNullable<FieldResolver['params']>[number]): Handler {
  switch (param.kind) {
    case 'arg':
      return (_root, args) => args[param.name]
    case 'context':
      return (_root, _args, context) => context
    case 'root':
      return (root) => root
    case 'info':
      return (_root, _args, _context, info) => info
    default:
      throw new Error(`a resolver takes a parameter of kind ${param.kind}, which nothing here reads`)
  }
}
