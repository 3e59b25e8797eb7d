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
  stripIgnoredCharacters,
  typeFromAST,
  validate,
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

/** Scalars as they are in JSON; what is not here is text. */
const SCALARS: Readonly<Record<string, string>> = {
  Boolean: 'boolean',
  Int: 'number',
  Float: 'number',
  JSON: 'unknown',
}

const INDENT = '  '

/**
 * The console's documents with the types of what goes in and comes out, as the text of a module. A document is one operation
 * of plain fields: no fragments, and so no unions.
 * @param documents each the text of a `.graphql` file
 * @throws GraphQLError where a document is not valid against the schema, or has what is not supported here
 */
export function operationsSource(schema: GraphQLSchema, documents: readonly string[]): string {
  const operations = documents.map((text) => operationOf(schema, text))
  const texts = operations.map(({ source }) => source).join('\n')
  const enums = Object.values(schema.getTypeMap()).filter(isEnumType)
  const used = enums.filter(({ name }) => new RegExp(`: (?:readonly \\()?${name}\\b`).test(texts))
  return [
    "import type { GraphDocument } from '../graph/document.js'",
    '',
    ...used.flatMap((type) => [`export type ${type.name} = ${valuesText(type)}`, '']),
    ...operations.toSorted((one, other) => one.name.localeCompare(other.name)).map(({ source }) => source),
  ].join('\n')
}

function operationOf(schema: GraphQLSchema, text: string): { name: string; source: string } {
  const document = parse(text, { noLocation: true })
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
  const source = [
    `export interface ${name}Result ${selectionText(root, operation.selectionSet, '')}`,
    '',
    `export type ${name}Variables = ${variablesText(schema, operation)}`,
    '',
    `export const ${constant}${kind}: GraphDocument<${name}Result, ${name}Variables> = {`,
    `${INDENT}text: ${JSON.stringify(stripIgnoredCharacters(text))},`,
    '}',
    '',
  ].join('\n')
  return { name, source }
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
  if (isEnumType(type)) return type.name
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
