import { createHash } from 'node:crypto'
import {
  getOperationAST,
  parse,
  type DocumentNode,
  type OperationDefinitionNode,
  type OperationTypeNode,
} from 'graphql'

/** A document that was parsed once, with what the gateway's caches are keyed by. */
export interface PreparedOperation {
  document: DocumentNode
  source: string
  operationName: string | undefined
  kind: OperationTypeNode
  /** SHA-256 of the source, hex: the key of the query plan. */
  hash: string
  /** Whether it is one of the product's own: it may ask for what the API hides from clients, and one subgraph answers it. */
  isOwn?: true
}

/**
 * Parses a document of one operation that no client sent, so that no error tells a place in it: the places of all take
 * megabytes. Throws a GraphQLError on bad syntax, an Error where it has none or several operations.
 */
export function prepareOperation(source: string): PreparedOperation {
  const document = parse(source, { noLocation: true })
  const operation = getOperationAST(document)
  if (!operation) throw new Error('a document must hold exactly one operation')
  return preparedFrom(source, document, operation)
}

/** As `prepareOperation`, of what was parsed already. @param operation the only one of the document */
export function preparedFrom(
  source: string,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): PreparedOperation {
  return { document, source, operationName: operation.name?.value, kind: operation.operation, hash: hashOf(source) }
}

/** SHA-256 of a text, hex. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
