import type { OpenApiDocument, OpenApiOperation } from '../../rest-compat/openapi.js'

/** An operation with where it is, and its name as types have it. */
export interface NamedOperation {
  method: string
  path: string
  /** `RegisterPayment` */
  typeName: string
  operation: OpenApiOperation
}

/** All operations of the document, in its order. */
export function operationsOf({ paths }: OpenApiDocument): NamedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { operationId } = operation
      const typeName = operationId.charAt(0).toUpperCase() + operationId.slice(1)
      return { method: method.toUpperCase(), path, typeName, operation }
    }),
  )
}
