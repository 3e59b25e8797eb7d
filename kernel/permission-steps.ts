import { getNamedType, isAbstractType, isObjectType, type GraphQLNamedType, type GraphQLSchema } from 'graphql'
import { assertScope, type Scope } from './permissions.js'
import type { Caller } from './tenant.js'

type Handler = (root: unknown, args: unknown, context: { caller: Caller }, info: unknown) => unknown
type Handlers = Readonly<Record<string, Record<string, unknown>>>

/** What of a subgraph is asked for, and of which schema. */
interface StepParts {
  schema: GraphQLSchema
  /** The types that other subgraphs lead to. */
  entities: readonly string[]
  /** What it takes to read them. */
  scope: Scope
}

/**
 * Has the steps inside a subgraph from one object to others ask for the scope that these take where another subgraph leads to them: who may
 * write one payment does not read the rest of its order on the way. A field without a resolver of its own is no step: it shows what its
 * object was made with, as the payload of a mutation shows what was written. Keys without scopes pay one read of a property.
 * @param handlers the resolvers of all types by field, changed in place
 */
export function askOnTheWay(handlers: Handlers, { schema, entities, scope }: StepParts): void {
  const roots = [schema.getQueryType(), schema.getMutationType()]
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || roots.includes(type)) continue
    for (const field of Object.values(type.getFields())) {
      const handler = handlers[type.name]?.[field.name] as Handler | undefined
      if (!handler || !leadsTo(getNamedType(field.type))) continue
      Object.assign(handlers[type.name] ?? {}, { [field.name]: asking(handler, scope) })
    }
  }

  /** Whether values of the type hold an entity of which the subgraph has more than the id: of any other, its own subgraph asks. */
  function leadsTo(type: GraphQLNamedType, seen = new Set<GraphQLNamedType>()): boolean {
    if (seen.has(type)) return false
    seen.add(type)
    if (isAbstractType(type)) return schema.getPossibleTypes(type).some((possible) => leadsTo(possible, seen))
    if (!isObjectType(type)) return false
    const held = Object.values(type.getFields()).filter(({ name }) => !handlers[type.name]?.[name])
    if (entities.includes(type.name)) return held.some(({ name }) => name !== 'id')
    return held.some((field) => leadsTo(getNamedType(field.type), seen))
  }
}

function asking(handler: Handler, scope: Scope): Handler {
  return (root, args, context, info) => {
    const { caller } = context
    if (caller.person !== undefined || caller.scopes != null) assertScope(caller, scope)
    return handler(root, args, context, info)
  }
}
