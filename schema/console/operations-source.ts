import {
  getNullableType,
  GraphQLError,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  OperationTypeNode,
  parse,
  print,
  stripIgnoredCharacters,
  typeFromAST,
  validate,
  visit,
  type DocumentNode,
  type FieldNode,
  type GraphQLEnumType,
  type GraphQLInputType,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'
import { hashOf } from '../../gateway/operation.js'
import { withErrors } from '../../gateway/payload-errors.js'
import { RIGHTS, SCOPES } from '../../kernel/permissions.js'
import { EVENT_TYPES } from '../../subgraphs/accounts/webhooks/event-types.js'

/** Scalars as they are in JSON; what is not here is text. */
const SCALARS: Readonly<Record<string, string>> = {
  Boolean: 'boolean',
  Int: 'number',
  Float: 'number',
  JSON: 'unknown',
}

const INDENT = '  '

/** What is asked of each error of a payload. */
const ERROR = 'code message path'
/** What is asked of one that is about no field. */
const MORE_OF_ERROR = 'details'

/** One operation of the console. */
export interface ConsoleOperation {
  name: string
  type: `${OperationTypeNode}`
  /** The SHA-256 of its text, as hex. */
  id: string
  /** As the server runs it. */
  text: string
  /** Its types, and its constant, in TypeScript. */
  source: string
}

/**
 * The console's documents with their ids and the types of what goes in and comes out. A document is one operation of plain
 * fields: no fragments, and so no unions. Why an act was refused no document asks: it is asked of all.
 * @param documents each the text of a `.graphql` file
 * @throws GraphQLError where a document is not valid against the schema, or has what is not supported here
 */
export function consoleOperations(schema: GraphQLSchema, documents: readonly string[]): ConsoleOperation[] {
  return documents.map((text) => operationOf(schema, text)).toSorted((one, other) => one.name.localeCompare(other.name))
}

/** The operations as the text of a module, with the words that the schema has as text: what a key may do, and what tenants are told of. */
export function operationsSource(schema: GraphQLSchema, operations: readonly ConsoleOperation[]): string {
  const error = schema.getType('MutationError')
  const [asked] = parse(`{ ${ERROR} }`).definitions
  if (!isInterfaceType(error) || asked?.kind !== Kind.OPERATION_DEFINITION)
    throw new GraphQLError('there is no MutationError')
  const fields = selectionText(error, asked.selectionSet, '').replace(/\n}$/, '')
  const errorSource = `export interface MutationError ${fields}\n${INDENT}${MORE_OF_ERROR}?: string | null\n}`
  const texts = [errorSource, ...operations.map(({ source }) => source)].join('\n')
  const enums = Object.values(schema.getTypeMap()).filter(isEnumType)
  const used = enums.filter(({ name }) => new RegExp(`: (?:readonly \\()?${name}\\b`).test(texts))
  return [
    "import type { GraphDocument } from '../graph/document.js'",
    '',
    `export const SCOPES = ${JSON.stringify(SCOPES)}`,
    '',
    `export const EVENT_TYPES = ${JSON.stringify(EVENT_TYPES)}`,
    '',
    ...used.flatMap((type) => [`export type ${type.name} = ${valuesText(type)}`, '']),
    errorSource,
    '',
    ...operations.map(({ source }) => source),
  ].join('\n')
}

function operationOf(schema: GraphQLSchema, written: string): ConsoleOperation {
  const asked = `${ERROR} ... on OperationError { ${MORE_OF_ERROR} }`
  const document = withErrors(parse(written, { noLocation: true }), asked)
  const [problem] = validate(schema, document)
  if (problem) throw problem
  const [operation, ...others] = document.definitions
  if (operation?.kind !== Kind.OPERATION_DEFINITION || !operation.name || others.length > 0)
    throw new GraphQLError('a document of the console is one operation that has a name')
  const name = operation.name.value
  const root = schema.getRootType(operation.operation)
  if (!root) throw new GraphQLError(`there is no ${operation.operation}`)
  const constant = name.charAt(0).toLowerCase() + name.slice(1)
  const kind =
    operation.operation === OperationTypeNode.QUERY
      ? 'Query'
      : operation.operation === OperationTypeNode.MUTATION
        ? 'Mutation'
        : 'Subscription'
  const text = stripIgnoredCharacters(print(withTypenames(document)))
  const id = hashOf(text)
  const source = [
    `export interface ${name}Result ${selectionText(root, operation.selectionSet, '')}`,
    '',
    `export type ${name}Variables = ${variablesText(schema, operation)}`,
    '',
    `export const ${constant}${kind}: GraphDocument<${name}Result, ${name}Variables> = {`,
    `${INDENT}id: '${id}',`,
    ...rightsText(operation),
    '}',
    '',
  ].join('\n')
  return { name, type: operation.operation, id, text, source }
}

/** The right that the operation's root fields need, which is one: a document that needs two is two. */
function rightsText({ selectionSet, name }: OperationDefinitionNode): string[] {
  const fields = selectionSet.selections.map((node) => (node.kind === Kind.FIELD ? node.name.value : ''))
  const rights = [...new Set(fields.map((field) => RIGHTS[field]))].filter((right) => right != null)
  if (rights.length > 1) throw new GraphQLError(`${String(name?.value)} needs ${rights.join(' and ')}`)
  return rights.map((right) => `${INDENT}right: '${right}',`)
}

/** The page's memory of answers forgets by type, so each object says its own. */
function withTypenames(document: DocumentNode): DocumentNode {
  return visit(document, {
    SelectionSet: (node, _key, parent) => {
      const isRoot = parent !== undefined && 'kind' in parent && parent.kind === Kind.OPERATION_DEFINITION
      if (isRoot) return undefined
      const name = { kind: Kind.NAME, value: '__typename' } as const
      return { ...node, selections: [...node.selections, { kind: Kind.FIELD, name } as const] }
    },
  })
}

function selectionText(
  type: GraphQLObjectType | GraphQLInterfaceType,
  selection: SelectionSetNode,
  indent: string,
): string {
  const inner = indent + INDENT
  const lines = selection.selections.map((node) => {
    if (node.kind !== Kind.FIELD) throw new GraphQLError('a document of the console has plain fields alone')
    const field = type.getFields()[node.name.value]
    if (!field) throw new GraphQLError(`${type.name} has no ${node.name.value}`)
    return `${inner}${(node.alias ?? node.name).value}: ${outputText(field.type, node, inner)}`
  })
  return `{\n${lines.join('\n')}\n${indent}}`
}

function outputText(type: GraphQLOutputType, node: FieldNode, indent: string): string {
  if (!isNonNullType(type)) return `${nonNullText(type, node, indent)} | null`
  return nonNullText(getNullableType(type), node, indent)
}

function nonNullText(type: GraphQLOutputType, node: FieldNode, indent: string): string {
  if (isListType(type)) return `readonly (${outputText(type.ofType as GraphQLOutputType, node, indent)})[]`
  if (isEnumType(type) || type.name === 'MutationError') return type.name
  if ((isObjectType(type) || isInterfaceType(type)) && node.selectionSet)
    return selectionText(type, node.selectionSet, indent)
  if ('serialize' in type) return SCALARS[type.name] ?? 'string'
  throw new GraphQLError(`${String(type)} is not supported in a document of the console`)
}

function variablesText(schema: GraphQLSchema, { variableDefinitions = [] }: OperationDefinitionNode): string {
  if (variableDefinitions.length === 0) return 'Record<string, never>'
  const lines = variableDefinitions.map(({ variable, type, defaultValue }) => {
    const known = typeFromAST(schema, type as never) as GraphQLInputType
    const optional = !isNonNullType(known) || defaultValue !== undefined
    return `${INDENT}${variable.name.value}${optional ? '?' : ''}: ${inputText(known, INDENT)}`
  })
  return `{\n${lines.join('\n')}\n}`
}

function inputText(type: GraphQLInputType, indent: string): string {
  if (!isNonNullType(type)) return `${givenText(type, indent)} | null | undefined`
  return givenText(getNullableType(type), indent)
}

function givenText(type: GraphQLInputType, indent: string): string {
  if (isListType(type)) return `readonly (${inputText(type.ofType as GraphQLInputType, indent)})[]`
  if (isEnumType(type)) return type.name
  if (!isInputObjectType(type)) return SCALARS[String(type)] ?? 'string'
  const inner = indent + INDENT
  const lines = Object.values(type.getFields()).map(
    (field) => `${inner}${field.name}${isNonNullType(field.type) ? '' : '?'}: ${inputText(field.type, inner)}`,
  )
  return `{\n${lines.join('\n')}\n${indent}}`
}

function valuesText(type: GraphQLEnumType): string {
  return type
    .getValues()
    .map(({ name }) => JSON.stringify(name))
    .join(' | ')
}
