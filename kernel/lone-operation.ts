import { getOperationAST, Kind, separateOperations, type DocumentNode } from 'graphql'

/**
 * A document with the operation that is run alone, and the fragments that it reaches: what others of the document ask for is nothing to it.
 * @param operationName may be left out where there is one
 */
export function loneOperation(document: DocumentNode, operationName?: string): DocumentNode {
  const operations = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION)
  if (operations.length === 1) return document
  const name = getOperationAST(document, operationName)?.name?.value ?? ''
  return separateOperations(document)[name] ?? document
}
