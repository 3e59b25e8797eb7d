import { ProviderError } from '../../../kernel/provider-error.js'

/** A list was read to its end, and nobody can read some of its rows: the same list would be no better the next time. */
export class UnreadableRowError extends ProviderError {
  constructor({ provider, kind, retryable, message, httpStatus, providerCode }: ProviderError) {
    super({ provider, kind, retryable, message, httpStatus, providerCode })
  }
}

/** Reads a provider's list row by row. */
export interface RowReader<Row> {
  /** The row; undefined where nobody can read it. */
  read: (value: unknown) => Row | undefined
  /** To be called once all is read. Throws the error of the first row that nobody could read. */
  end: () => void
}

/** One row that nobody can read keeps no other from being seen: it is told of at the end of its list. */
export function rowReader<Row>(readRow: (value: unknown) => Row): RowReader<Row> {
  let failure: UnreadableRowError | undefined
  return {
    read: (value) => {
      try {
        return readRow(value)
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error
        failure ??= new UnreadableRowError(error)
        return undefined
      }
    },
    end: () => {
      if (failure) throw failure
    },
  }
}
