import type { FetchNode, PlanNode, QueryPlan } from '@apollo/query-planner'
import {
  getOperationAST,
  GraphQLError,
  Kind,
  parse,
  valueFromASTUntyped,
  visit,
  type DocumentNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'
import { documentBytes } from '../../kernel/document-size.js'
import type { RequestContext, SubgraphResult } from '../../kernel/subgraph.js'
import { collectFields } from '../../kernel/compiled/collect-fields.js'
import { fragmentsOf } from '../graphql/measuring.js'
import { rootKeysOf } from '../graphql/root-keys.js'
import type { AskedOperation } from './client-names.js'
import type { MemberTypes } from './entities.js'
import { runNode, type PlanRun } from './run-plan.js'
import { answerShaper, own, type AskedSource } from './shape-answer.js'

/** Sets of values that `@skip` and `@include` ask for, of which the form of the answer is kept; of others it is made for one run. */
const SHAPES_MAX = 2
/** What the form of one field takes, fragments written out; measured: 300 to 700 bytes. */
const SHAPE_BYTES = 400

/** A document that takes several subgraphs, with its plan. */
export interface PlannedOperation {
  /** How much memory it keeps, about. */
  bytes: number
  /** Its answer; undefined where the gateway has to run it: what `@skip` asks for is no boolean. */
  execute: (
    ask: PlanRun['ask'],
    variables: Readonly<Record<string, unknown>>,
    context: RequestContext,
  ) => Promise<SubgraphResult> | undefined
}

/**
 * Compiles the plan of a valid document, which `@apollo/gateway` reads anew for each request: the document, the fetches, and the form of
 * the answer. What it has no part for is left to the gateway.
 * @returns undefined where the gateway has to run it
 */
export function plannedOperation(
  { operation: { document, source, operationName }, clientNames }: AskedOperation,
  { node }: QueryPlan,
  { apiSchema, memberTypes }: { apiSchema: GraphQLSchema; memberTypes: MemberTypes },
): PlannedOperation | undefined {
  const operation = getOperationAST(document, operationName)
  // To an object of JavaScript a key like this is its prototype.
  if (!operation || node?.kind === 'Subscription' || source.includes('__proto__')) return undefined
  const fetches = node ? fetchesOf(node) : []
  if (!fetches) return undefined
  // No error names places in a text that no client sent.
  const documents = new Map(fetches.map((one) => [one, parse(one.operation, { noLocation: true })]))
  const asked = flagsOf(document)
  const fragments = Object.fromEntries(fragmentsOf(document))
  const fetched = new Set([...documents.values()].flatMap(rootKeysIn))
  const shapeOf = shapes({ schema: apiSchema, operation, fragments, clientNames }, asked, fetched)
  return {
    bytes: [...documents].reduce(
      (sum, [one, parsed]) => sum + documentBytes(one.operation, parsed),
      documentBytes(source, document) + SHAPES_MAX * SHAPE_BYTES * fieldsWrittenOut(operation, document),
    ),
    execute: (ask, variables, context) => {
      const isNull = asked.find((name) => own(variables, name) === null)
      if (isNull !== undefined) return Promise.resolve({ errors: [nullFlag(isNull)] })
      const shape = shapeOf(variables)
      if (shape?.unfetched !== undefined) return Promise.resolve({ errors: [noSubgraph(shape.unfetched)] })
      const given = { memberTypes, documents, clientNames, ask, variables, context }
      return shape && run(node, shape, given)
    },
  }
}

/** Apollo's executor fails as if it were our mistake; a variable with a default may be null all the same. */
function nullFlag(name: string): GraphQLError {
  return new GraphQLError(`Variable "$${name}" must not be null, as @skip or @include asks for it.`)
}

/** A field that is valid, and that the planner asks nobody for: nobody can say what is selected of it. */
function noSubgraph(name: string): GraphQLError {
  const extensions = { code: 'GRAPHQL_VALIDATION_FAILED' }
  return new GraphQLError(`No subgraph can answer what is selected of "${name}".`, { extensions })
}

async function run(
  node: PlanNode | undefined,
  { flags, shape }: Shape,
  given: Omit<PlanRun, 'data' | 'errors' | 'flags'>,
): Promise<SubgraphResult> {
  const all: PlanRun = { ...given, flags, data: {}, errors: [] }
  if (node) await runNode(all, node, { path: [], at: all.data })
  const data = shape(all.data)
  return all.errors.length > 0 ? { errors: all.errors, data } : { data }
}

/** All fetches of a plan; undefined where one of its nodes is not run here: deferred parts, and fetches whose answers are rewritten. */
function fetchesOf(node: PlanNode): FetchNode[] | undefined {
  const found: FetchNode[] = []
  const open: (PlanNode | undefined)[] = [node]
  for (let next = open.pop(); open.length > 0 || next; next = open.pop()) {
    if (!next) continue
    if (next.kind === 'Defer') return undefined
    if (next.kind === 'Condition') open.push(next.ifClause, next.elseClause)
    else if (next.kind === 'Flatten') open.push(next.node)
    else if (next.kind === 'Fetch') {
      if (next.hasDefers || next.inputRewrites || next.outputRewrites || next.contextRewrites) return undefined
      // A client's variable would take the place of what the subgraph is told of its objects.
      if (next.variableUsages?.includes('representations')) return undefined
      found.push(next)
    } else open.push(...next.nodes)
  }
  return found
}

/** The form of an answer under some values of what `@skip` and `@include` ask for. */
interface Shape {
  flags: Readonly<Record<string, boolean>>
  shape: ReturnType<typeof answerShaper>
  /** A root field, by its client's name, that no fetch of the plan asks for. */
  unfetched: string | undefined
}

/** @returns what gives the form of an answer; undefined where a value is no boolean, or no type answers the operation */
function shapes(
  source: Omit<AskedSource, 'flags'>,
  asked: readonly string[],
  fetched: ReadonlySet<string>,
): (variables: Readonly<Record<string, unknown>>) => Shape | undefined {
  const root = source.schema.getRootType(source.operation.operation)
  const defaults = defaultsOf(source.operation)
  const known = new Map<string, Shape>()
  const unfetchedOf = (flags: Shape['flags'], root: GraphQLObjectType): string | undefined => {
    const fields = [...collectFields({ ...source, flags }, root, [source.operation.selectionSet])]
    const found = fields.find(([key, [first]]) => first?.name.value !== '__typename' && !fetched.has(key))
    return found && (source.clientNames.get(found[0]) ?? found[0])
  }
  return (variables) => {
    // Null is no boolean, and not the default either.
    const values = asked.map((name) => {
      const given = own(variables, name)
      return given === undefined ? own(defaults, name) : given
    })
    if (!root || !values.every((value) => typeof value === 'boolean')) return undefined
    const found = known.get(values.join())
    if (found) return found
    const flags = Object.fromEntries(asked.map((name, index) => [name, values[index] === true]))
    const made = { flags, shape: answerShaper({ ...source, flags }, root), unfetched: unfetchedOf(flags, root) }
    if (known.size < SHAPES_MAX) known.set(values.join(), made)
    return made
  }
}

/** How many fields an operation has, those of its fragments as often as they are spread. */
function fieldsWrittenOut(operation: OperationDefinitionNode, document: DocumentNode): number {
  const fragments = fragmentsOf(document)
  const known = new Map<string, number>()
  const ofFragment = (name: string): number => {
    const found = known.get(name) ?? fieldsIn(fragments.get(name)?.selectionSet)
    known.set(name, found)
    return found
  }
  const fieldsIn = (set: SelectionSetNode | undefined): number =>
    (set?.selections ?? []).reduce((sum, selection) => {
      if (selection.kind === Kind.FRAGMENT_SPREAD) return sum + ofFragment(selection.name.value)
      return sum + fieldsIn(selection.selectionSet) + (selection.kind === Kind.FIELD ? 1 : 0)
    }, 0)
  return fieldsIn(operation.selectionSet)
}

/** What the operation of a fetch answers at its root. */
function rootKeysIn(document: DocumentNode): string[] {
  const operation = getOperationAST(document)
  return operation ? [...rootKeysOf(operation.selectionSet, fragmentsOf(document))] : []
}

/** The variables that `@skip` and `@include` ask for. */
function flagsOf(document: DocumentNode): string[] {
  const names = new Set<string>()
  visit(document, {
    [Kind.DIRECTIVE](directive) {
      for (const { value } of directive.arguments ?? []) if (value.kind === Kind.VARIABLE) names.add(value.name.value)
    },
  })
  return [...names]
}

function defaultsOf({ variableDefinitions = [] }: OperationDefinitionNode): Record<string, unknown> {
  return Object.fromEntries(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
    ),
  )
}
