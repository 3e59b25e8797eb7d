import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  buildASTSchema,
  isInputType,
  Kind,
  parse,
  print,
  typeFromAST,
  validate,
  visit,
  type FragmentDefinitionNode,
  type GraphQLInputType,
  type GraphQLSchema,
  type NamedTypeNode,
} from 'graphql'
import { prepareOperation, type PreparedOperation } from '../gateway/operation.js'
import { withErrors } from '../gateway/payload-errors.js'
import { projectRoot } from '../kernel/root.js'
import { attachScalars } from '../kernel/scalars.js'
import { snakeCase } from './read-input.js'
import { otherAnswers, otherInputs, type OtherValue } from './other-values.js'

/** A variable of a document, with its name in REST. */
interface RestVariable {
  name: string
  restName: string
  type: GraphQLInputType
}

/** A named document, ready to run: parsed, validated and with everything about it worked out once at start. */
export interface RestOperation extends PreparedOperation {
  /** Kebab-case: the document's file bears it. */
  name: string
  /** The document's variables: `$input` is read from the body, the others from path and query. */
  variables: readonly RestVariable[]
  /** What of its answer is another thing in REST than in the graph. */
  otherAnswers: readonly OtherValue[]
  /** What of its variables is another thing in the graph than in REST. */
  otherInputs: readonly OtherValue[]
}

/**
 * Reads `rest-compat/operations/*.graphql`, and what only webhooks show from its folder `events`; fragments that several
 * share are in `fragments`.
 * @param schema as `wholeSchema` gives it: the contract has inputs, lists and acts that the API hides from clients
 * @throws when a document is not valid against it
 */
export function loadOperations(schema: GraphQLSchema): ReadonlyMap<string, RestOperation> {
  const folder = join(projectRoot, 'rest-compat', 'operations')
  const fragments = readFragments(join(folder, 'fragments'))
  return new Map(
    [...graphqlFiles(folder), ...graphqlFiles(join(folder, 'events'))].map(({ name, source }) => [
      name,
      loadOperation(schema, name, wholeDocument(source, fragments)),
    ]),
  )
}

/** All that a supergraph has, with what the API hides of it from clients. */
export function wholeSchema(supergraphSdl: string): GraphQLSchema {
  const schema = buildASTSchema(parse(supergraphSdl, { noLocation: true }), { assumeValidSDL: true })
  attachScalars(schema)
  return schema
}

/** The document of a name. @throws Error where there is none */
export function operationNamed(operations: ReadonlyMap<string, RestOperation>, name: string): RestOperation {
  const operation = operations.get(name)
  if (!operation) throw new Error(`no document is named ${name}`)
  return operation
}

function graphqlFiles(folder: string): { name: string; source: string }[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.graphql'))
  return files.map((file) => ({
    name: file.slice(0, -'.graphql'.length),
    source: readFileSync(join(folder, file), 'utf8'),
  }))
}

function readFragments(folder: string): ReadonlyMap<string, FragmentDefinitionNode> {
  const definitions = graphqlFiles(folder).flatMap(({ source }) => parse(source).definitions)
  return new Map(
    definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION).map((node) => [node.name.value, node]),
  )
}

/** Asks for the errors of a mutation, and writes shared fragments out where they are spread: a document is whole by itself. */
function wholeDocument(source: string, fragments: ReadonlyMap<string, FragmentDefinitionNode>): string {
  const whole = visit(withErrors(parse(source), '...MutationErrorRow'), {
    FragmentSpread: ({ name }) => {
      const fragment = fragments.get(name.value)
      if (!fragment) throw new Error(`no fragment is named ${name.value}`)
      const { typeCondition, selectionSet } = fragment
      return { kind: Kind.INLINE_FRAGMENT, typeCondition, selectionSet }
    },
  })
  return print(whole)
}

function loadOperation(schema: GraphQLSchema, name: string, source: string): RestOperation {
  const prepared = prepareOperation(source)
  const [problem] = validate(schema, prepared.document)
  if (problem) throw new Error(`rest-compat/operations/${name}.graphql: ${problem.message}`)
  const variables = variablesOf(schema, prepared)
  const others = { otherAnswers: otherAnswers(schema, prepared), otherInputs: otherInputs(variables) }
  return { ...prepared, isOwn: true, name, variables, ...others }
}

function variablesOf(schema: GraphQLSchema, { document }: PreparedOperation): RestVariable[] {
  const found: RestVariable[] = []
  visit(document, {
    VariableDefinition(node) {
      const type = typeFromAST(schema, node.type as NamedTypeNode)
      const name = node.variable.name.value
      if (isInputType(type)) found.push({ name, restName: snakeCase(name), type })
    },
  })
  return found
}
