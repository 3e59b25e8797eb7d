import {
  execute,
  getOperationAST,
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  type SelectionSetNode,
} from 'graphql'
import type { RequestContext, SubgraphResult } from '../kernel/subgraph.js'
import { loneOperation } from '../kernel/lone-operation.js'
import type { PromiseOrValue } from '../kernel/promise-or-value.js'
import { SCHEMA_FIELDS } from './graphql/introspection-size.js'
import { fragmentsOf } from './graphql/measuring.js'
import type { PreparedOperation } from './operation.js'

/** Whether a valid operation asks for nothing but what the schema says of itself. */
export function readsSchemaAlone({ document, operationName }: PreparedOperation): boolean {
  const fragments = fragmentsOf(document)
  const entered = new Set<string>()
  const isOfSchema = (set: SelectionSetNode | undefined): boolean =>
    (set?.selections ?? []).every((selection) => {
      if (selection.kind === Kind.FIELD) return isAboutSchema(selection) || selection.name.value === '__typename'
      if (selection.kind === Kind.INLINE_FRAGMENT) return isOfSchema(selection.selectionSet)
      const { value: name } = selection.name
      if (entered.has(name)) return true
      entered.add(name)
      return isOfSchema(fragments.get(name)?.selectionSet)
    })
  return isOfSchema(getOperationAST(document, operationName)?.selectionSet)
}

/** Whether an operation reads the schema itself, which is the supergraph's and not a subgraph's to tell. */
export function asksForSchema({ document, operationName }: PreparedOperation): boolean {
  let found = false
  visit(loneOperation(document, operationName), {
    Field: (node) => {
      found ||= isAboutSchema(node)
    },
  })
  return found
}

function isAboutSchema({ name }: FieldNode): boolean {
  return SCHEMA_FIELDS.has(name.value)
}

/** Runs an operation. */
type Execute = (
  operation: PreparedOperation,
  variables: Record<string, unknown>,
  context: RequestContext,
) => PromiseOrValue<SubgraphResult>

/** An operation that reads the schema beside something else, as two. */
interface Divided {
  data: PreparedOperation
  ofSchema: PreparedOperation
  /** What is answered by the second. */
  schemaKeys: ReadonlySet<string>
}

/**
 * Lets operations read the schema beside something else: graphql-js answers what they ask of the schema.
 * @param executeData runs what does not, and what reads the schema alone
 */
export function besideSchema(schema: GraphQLSchema, executeData: Execute): Execute {
  const known = new WeakMap<PreparedOperation, { divided: Divided | undefined }>()
  const dividedOf = (operation: PreparedOperation): Divided | undefined => {
    const before = known.get(operation)
    if (before) return before.divided
    const divided = divideOperation(schema, operation)
    known.set(operation, { divided })
    return divided
  }
  return (operation, variables, context) => {
    const divided = dividedOf(operation)
    return divided ? executeBoth(divided, variables, context) : executeData(operation, variables, context)
  }

  async function executeBoth(
    { data: asked, ofSchema, schemaKeys }: Divided,
    variables: Record<string, unknown>,
    context: RequestContext,
  ): Promise<SubgraphResult> {
    const { data, errors } = await executeData(asked, variables, context)
    if (!data) return { ...(data !== undefined && { data }), ...(errors && { errors }) }
    const { data: told } = await answerOfSchema(schema, ofSchema, variables)
    const all = Object.entries(data).map(([key, value]) => [key, schemaKeys.has(key) ? told?.[key] : value])
    return { data: Object.fromEntries(all) as Record<string, unknown>, ...(errors && { errors }) }
  }
}

/**
 * Divides what reads the schema beside something else. In each part the root fields of the other are `__typename` under the same name,
 * so that both have all keys in their order.
 * @returns undefined of any other operation
 */
function divideOperation(schema: GraphQLSchema, operation: PreparedOperation): Divided | undefined {
  if (!asksForSchema(operation) || readsSchemaAlone(operation)) return undefined
  const schemaKeys = new Set<string>()
  const part = (name: string, isOfPart: (node: FieldNode) => boolean): PreparedOperation => {
    const types = new TypeInfo(schema)
    const document = visit(
      loneOperation(operation.document, operation.operationName),
      visitWithTypeInfo(types, {
        Field: (node) => {
          if (types.getParentType() !== schema.getQueryType()) return undefined
          if (isAboutSchema(node)) schemaKeys.add((node.alias ?? node.name).value)
          return isOfPart(node) ? undefined : stand(node)
        },
      }),
    ) as DocumentNode
    return { ...operation, document, hash: `${operation.hash}:${name}` }
  }
  const data = part('data', (node) => !isAboutSchema(node))
  return { data, ofSchema: part('schema', isAboutSchema), schemaKeys }
}

/** What stands in the place of a field. */
function stand({ alias, name, directives = [] }: FieldNode): FieldNode {
  return { kind: Kind.FIELD, alias: alias ?? name, name: { kind: Kind.NAME, value: '__typename' }, directives }
}

/**
 * What the schema says of itself, as graphql-js has it: Apollo's planner refuses what it does not know of graphql, such as `isOneOf` and
 * `isDeprecated` of a directive, though the schema lists them.
 */
export async function answerOfSchema(
  schema: GraphQLSchema,
  { document, operationName }: PreparedOperation,
  variableValues: Readonly<Record<string, unknown>>,
): Promise<SubgraphResult> {
  return (await execute({ schema, document, variableValues, operationName: operationName ?? null })) as SubgraphResult
}
