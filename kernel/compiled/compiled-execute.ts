import {
  assertValidSchema,
  execute,
  Kind,
  OperationTypeNode,
  visit,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type FragmentDefinitionNode,
  type GraphQLError,
  type GraphQLObjectType,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql'
import { isPromise, type PromiseOrValue } from '../promise-or-value.js'
import { noteError, type Run, type Source } from './execution.js'
import { variablesReader } from './read-variables.js'
import { answerSelection, selectFields, type Selection } from './select-fields.js'

/** Each set of values of the variables that `@skip` and `@include` ask for has a plan of its own. */
const VARIANTS_MAX = 8

/** What is run; `rootValue` and `typeResolver` are graphql-js's own. */
export type CompiledArgs = Pick<
  ExecutionArgs,
  'document' | 'contextValue' | 'operationName' | 'variableValues' | 'fieldResolver'
>

/** The plans of one operation. */
interface Plans {
  base: Omit<Source, 'flags'>
  /** Its root type. */
  type: GraphQLObjectType
  /** The variables that `@skip` and `@include` ask for. */
  asked: readonly string[]
  /** By the values of those. */
  variants: Map<string, Selection>
  readVariables: ReturnType<ReturnType<typeof variablesReader>>
}

/**
 * Runs documents as graphql-js does: the same data, errors, places and order of both. What a document asks for is found
 * out once and kept as long as it: which fields an object of which type has, how each is resolved and completed. graphql-js
 * finds that out anew at each run. What plans do not answer goes to graphql-js: what is asked of the schema itself,
 * subscriptions, and bad requests.
 * @throws as `execute` of graphql-js, for arguments that are no request
 */
export function compiledExecute(schema: GraphQLSchema): (args: CompiledArgs) => PromiseOrValue<ExecutionResult> {
  assertValidSchema(schema)
  const readerOf = variablesReader(schema)
  const known = new WeakMap<OperationDefinitionNode, { plans: Plans | undefined }>()

  function plansFor(document: DocumentNode, operation: OperationDefinitionNode): Plans | undefined {
    const found = known.get(operation) ?? { plans: plansOf(schema, document, operation, readerOf) }
    known.set(operation, found)
    return found.plans
  }

  return (args) => {
    const { document, operationName, variableValues } = args
    const operation = operationOf(document, operationName)
    const plans = operation && plansFor(document, operation)
    const byGraphql = (): ReturnType<typeof execute> => execute({ schema, ...args })
    if (!plans) return byGraphql()
    const given = plans.readVariables(variableValues ?? {})
    if (given.errors) return { errors: given.errors }
    const selection = selectionFor(plans, given.coerced)
    return selection ? answer(plans, selection, args, given.coerced) : byGraphql()
  }
}

/** Undefined where a document has not exactly one operation of that name. */
function operationOf(
  { definitions }: DocumentNode,
  name: string | null | undefined,
): OperationDefinitionNode | undefined {
  let found: OperationDefinitionNode | undefined
  for (const definition of definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue
    if (name !== null && name !== undefined && definition.name?.value !== name) continue
    if (found) return undefined
    found = definition
  }
  return found
}

/** Undefined where graphql-js has to run it. */
function plansOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  readerOf: ReturnType<typeof variablesReader>,
): Plans | undefined {
  const fragments = Object.create(null) as Record<string, FragmentDefinitionNode>
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition
  }
  const type = schema.getRootType(operation.operation)
  if (!type || operation.operation === OperationTypeNode.SUBSCRIPTION || !isPlain(document)) return undefined
  const readVariables = readerOf(operation.variableDefinitions ?? [])
  return { base: { schema, operation, fragments }, type, asked: askedBy(document), variants: new Map(), readVariables }
}

/** Whether a document asks for nothing but data. */
function isPlain(document: DocumentNode): boolean {
  let found = true
  visit(document, {
    Field({ name, alias }) {
      if (name.value === '__schema' || name.value === '__type' || alias?.value === '__proto__') found = false
    },
  })
  return found
}

/** The variables that decide which fields are asked for. */
function askedBy(document: DocumentNode): string[] {
  const asked = new Set<string>()
  visit(document, {
    Directive({ name, arguments: given = [] }) {
      if (name.value !== 'skip' && name.value !== 'include') return
      for (const { value } of given) if (value.kind === Kind.VARIABLE) asked.add(value.name.value)
    },
  })
  return [...asked]
}

/** Undefined where graphql-js has to say what is wrong, or there are too many plans already. */
function selectionFor(
  { base, type, asked, variants }: Plans,
  variables: Readonly<Record<string, unknown>>,
): Selection | undefined {
  const flags = Object.create(null) as Record<string, boolean>
  for (const name of asked) {
    const value = variables[name]
    if (typeof value !== 'boolean') return undefined
    flags[name] = value
  }
  const key = asked.map((name) => (flags[name] ? '1' : '0')).join('')
  const known = variants.get(key)
  if (known || variants.size >= VARIANTS_MAX) return known
  try {
    const selection = selectFields({ ...base, flags }, type, [base.operation.selectionSet])
    variants.set(key, selection)
    return selection
  } catch {
    return undefined
  }
}

function answer(
  { base }: Plans,
  selection: Selection,
  { contextValue, fieldResolver }: CompiledArgs,
  variables: Record<string, unknown>,
): PromiseOrValue<ExecutionResult> {
  const run: Run = {
    ...{ contextValue, rootValue: undefined, variables, fieldResolver: fieldResolver ?? undefined },
    errors: [],
    nulled: new Set(),
  }
  const answered = (data: unknown): ExecutionResult =>
    ({ ...(run.errors.length > 0 && { errors: run.errors }), data }) as ExecutionResult
  const nothing = (error: unknown): ExecutionResult => {
    noteError(run, error as GraphQLError, undefined)
    return answered(null)
  }
  try {
    const isMutation = base.operation.operation === OperationTypeNode.MUTATION
    const data = isMutation ? answerInTurn(run, selection) : answerSelection(run, selection, undefined, undefined)
    return isPromise(data) ? data.then(answered, nothing) : answered(data)
  } catch (error) {
    return nothing(error)
  }
}

/** Root fields of a mutation: each begins when the one before has ended. */
function answerInTurn(run: Run, { fields, empty }: Selection): unknown {
  type Answers = Record<string, unknown>
  let answers: PromiseOrValue<Answers> = { ...empty }
  for (const { key, answer: answerField } of fields) {
    const add = (before: Answers): PromiseOrValue<Answers> => {
      const set = (value: unknown): Answers => {
        before[key] = value
        return before
      }
      const value = answerField(run, undefined, undefined)
      return isPromise(value) ? value.then(set) : set(value)
    }
    answers = isPromise(answers) ? (answers as Promise<Answers>).then(add) : add(answers)
  }
  return answers
}
