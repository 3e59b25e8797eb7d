import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
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
import { projectRoot } from '../kernel/root.js'
import { otherAnswers, otherInputs, type OtherValue } from './other-values.js'

/** A named document, ready to run: parsed, validated and with everything about it worked out once at start. */
export interface RestOperation extends PreparedOperation {
  /** Kebab-case: the document's file bears it, and the file of the resolver that it calls. */
  name: string
  /** The document's variables: `$input` is read from the body, the others from path and query. */
  variables: readonly { name: string; type: GraphQLInputType }[]
  /** What of its answer is another thing in REST than in the graph. */
  otherAnswers: readonly OtherValue[]
  /** What of its variables is another thing in the graph than in REST. */
  otherInputs: readonly OtherValue[]
}

/**
 * Reads `rest-compat/operations/*.graphql`, and what only webhooks show from its folder `events`; fragments that several
 * share are in `fragments`.
 * @throws when a document is not valid against the API schema
 */
export function loadOperations(schema: GraphQLSchema): ReadonlyMap<string, RestOperation> {
  const folder = join(projectRoot, 'rest-compat', 'operations')
  const fragments = readFragments(join(folder, 'fragments'))
  return new Map(
    [...graphqlFiles(folder), ...graphqlFiles(join(folder, 'events'))].map(({ name, source }) => [
      name,
      loadOperation(schema, name, inlineFragments(source, fragments)),
    ]),
  )
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

/** Writes shared fragments out where they are spread, so that a document is whole by itself. */
function inlineFragments(source: string, fragments: ReadonlyMap<string, FragmentDefinitionNode>): string {
  const inlined = visit(parse(source), {
    FragmentSpread: ({ name }) => {
      const fragment = fragments.get(name.value)
      if (!fragment) throw new Error(`no fragment is named ${name.value}`)
      const { typeCondition, selectionSet } = fragment
      return { kind: Kind.INLINE_FRAGMENT, typeCondition, selectionSet }
    },
  })
  return print(inlined)
}

function loadOperation(schema: GraphQLSchema, name: string, source: string): RestOperation {
  const prepared = prepareOperation(source)
  const [problem] = validate(schema, prepared.document)
  if (problem) throw new Error(`rest-compat/operations/${name}.graphql: ${problem.message}`)
  const variables = variablesOf(schema, prepared)
  const others = { otherAnswers: otherAnswers(schema, prepared), otherInputs: otherInputs(variables) }
  return { ...prepared, name, variables, ...others }
}

function variablesOf(
  schema: GraphQLSchema,
  { document }: PreparedOperation,
): { name: string; type: GraphQLInputType }[] {
  const found: { name: string; type: GraphQLInputType }[] = []
  visit(document, {
    VariableDefinition(node) {
      const type = typeFromAST(schema, node.type as NamedTypeNode)
      if (isInputType(type)) found.push({ name: node.variable.name.value, type })
    },
  })
  return found
}
