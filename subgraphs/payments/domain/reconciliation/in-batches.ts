/** The rows of a list in arrays of at most `size`. Where the list fails, what it gave before comes first. */
export async function* inBatches<Row>(rows: AsyncIterable<Row>, size: number): AsyncGenerator<readonly Row[]> {
  let some: Row[] = []
  try {
    for await (const row of rows) {
      some.push(row)
      if (some.length < size) continue
      yield some
      some = []
    }
  } catch (error) {
    yield some
    throw error
  }
  yield some
}
