import { execute, getOperationAST, Kind, type GraphQLSchema, type SelectionSetNode } from 'graphql'
import type { SubgraphResult } from '../kernel/subgraph.js'
import { fragmentsOf } from './graphql/measure-query.js'
import type { PreparedOperation } from './operation.js'

const OF_SCHEMA: ReadonlySet<string> = new Set(['__schema', '__type', '__typename'])

/** Whether a valid operation asks for nothing but what the schema says of itself. */
export function readsSchemaAlone({ document, operationName }: PreparedOperation): boolean {
  const fragments = fragmentsOf(document)
  const entered = new Set<string>()
  const isOfSchema = (set: SelectionSetNode | undefined): boolean =>
    (set?.selections ?? []).every((selection) => {
      if (selection.kind === Kind.FIELD) return OF_SCHEMA.has(selection.name.value)
      if (selection.kind === Kind.INLINE_FRAGMENT) return isOfSchema(selection.selectionSet)
      const { value: name } = selection.name
      if (entered.has(name)) return true
      entered.add(name)
      return isOfSchema(fragments.get(name)?.selectionSet)
    })
  return isOfSchema(getOperationAST(document, operationName)?.selectionSet)
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
