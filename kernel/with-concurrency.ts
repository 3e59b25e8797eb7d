/**
 * Runs `work` on each item, started in their order, so many at once.
 * @returns the results in the items' order
 * @throws the first failure, when all that was begun is over
 */
export async function withConcurrency<Item, Result>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const entries = items.entries()
  const drive = async (): Promise<void> => {
    for (const [index, item] of entries) results[index] = await work(item)
  }
  const outcomes = await Promise.allSettled(Array.from({ length: width }, drive))
  const failure = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failure) throw failure.reason
  return results
}
