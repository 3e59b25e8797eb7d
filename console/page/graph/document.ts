import type { PersistedDocument } from '@urql/core'

/** One operation of the console, by the id under which the server keeps its text, with the types of what goes in and comes out. */
export interface GraphDocument<Result, Variables> {
  id: string
  /** What a person needs to run it; absent where everyone may. */
  right?: string
  /** Never there: it carries the types. */
  types?: (variables: Variables) => Result
}

/** The document as the client is given it: it then sends the id alone. */
export function byId({ id }: GraphDocument<unknown, never>): PersistedDocument {
  return { kind: 'Document' as PersistedDocument['kind'], definitions: [], documentId: id }
}
