import {
  Kind,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionNode,
  type ValueNode,
} from 'graphql'
import type { QueryCosts } from './query-costs.js'

/** The size of a part of a query. */
export interface Size {
  depth: number
  aliases: number
  cost: number
  /** As `cost`, where lists whose length is not said are as long as they usually are. */
  objects: number
  /** The values that its answer has then; one that is JSON of its own counts as many. */
  values: number
  /** The fields of the document, with fragments written out: what planning it takes. */
  fields: number
  /** How many of its fields and fragments have `@skip` or `@include`, with fragments written out. */
  conditions: number
  /** The same, each as often as conditions stand around it, its own included: a planner tells apart what they leave together. */
  nestedConditions: number
}

/** A schema, and what it says of its costs. */
export interface CostedSchema {
  schema: GraphQLSchema
  costs: QueryCosts
}

/** One measuring. */
export interface Measuring extends CostedSchema {
  fragments: ReadonlyMap<string, FragmentDefinitionNode>
  operation: OperationDefinitionNode
  variables: Readonly<Record<string, unknown>>
  variesWithVariables: boolean
  /** Each fragment's size, by its name and the length of the page it is in. */
  measured: Map<string, Size>
}

/** Whether `@skip` and `@include` leave a selection in; where a variable is no boolean its document is refused. */
export function isAsked(measuring: Measuring, { directives = [] }: SelectionNode): boolean {
  return directives.every(({ name, arguments: given = [] }) => {
    if (name.value !== 'skip' && name.value !== 'include') return true
    const value = given[0]?.value
    const flag = value?.kind === Kind.VARIABLE ? valueOf(measuring, value.name.value) : value && literalOf(value)
    return flag !== (name.value === 'skip')
  })
}

/** What is selected, with the `@skip` and `@include` of its own around it. */
export function withConditions(size: Size, { directives = [] }: SelectionNode): Size {
  const own = directives.filter(({ name }) => name.value === 'skip' || name.value === 'include').length
  if (own === 0) return size
  const nestedConditions = size.nestedConditions + own * (size.conditions + 1)
  return { ...size, conditions: size.conditions + own, nestedConditions }
}

/** The value of a variable, or the default of its own. */
export function valueOf(measuring: Measuring, name: string): unknown {
  measuring.variesWithVariables = true
  const { variables, operation } = measuring
  // By its own name alone: `$constructor` is a variable like any other, and every object has a property of that name.
  if (Object.hasOwn(variables, name)) return variables[name]
  const value = operation.variableDefinitions?.find(({ variable }) => variable.name.value === name)?.defaultValue
  return value && literalOf(value)
}

/** The value of a literal that may say how long a list is, or whether something is asked for. */
function literalOf(node: ValueNode): unknown {
  if (node.kind === Kind.INT) return Number(node.value)
  return node.kind === Kind.BOOLEAN ? node.value : undefined
}

/** The fragments of a document, by their names. */
export function fragmentsOf({ definitions }: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> {
  const fragments = definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION)
  return new Map(fragments.map((node) => [node.name.value, node]))
}
