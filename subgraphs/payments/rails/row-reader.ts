import { ProviderError } from '../../../kernel/provider-error.js'

/** Reads a provider's list row by row. */
export interface RowReader<Row> {
  /** The row; undefined where nobody can read it. */
  read: (value: unknown) => Row | undefined
  /** To be called once all is read. Throws the ProviderError of the first row that nobody could read. */
  end: () => void
}

/** One row that nobody can read keeps no other from being seen: it is told of at the end of its list. */
export function rowReader<Row>(readRow: (value: unknown) => Row): RowReader<Row> {
  let failure: ProviderError | undefined
  return {
    read: (value) => {
      try {
        return readRow(value)
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error
        failure ??= error
        return undefined
      }
    },
    end: () => {
      if (failure) throw failure
    },
  }
}
