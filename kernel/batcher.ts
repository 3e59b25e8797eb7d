/** More in one statement save little, and keep what it holds for longer. */
const BATCH_MAX = 64

/** Batches under way: while one waits for the database, the next gathers. */
const IN_FLIGHT_MAX = 2

interface Waiting<Item, Result> {
  item: Item
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/**
 * Reads or writes of one kind that come at the same time, in one statement, each with its own answer: a round trip, and for
 * writes a flush of the disk, are then paid once for all of them. Nothing waits for others to come: what is there when the
 * event loop has read its sockets goes at once.
 * @param callAll reads or writes all items, or fails and has written none; answers in their order
 * @param conflictKey items with the same one never go together, as one statement cannot write a row twice
 * @param inFlightMax batches under way; with one, what comes while it waits for the database goes together
 * @returns what calls for one item; where a batch fails for what its items hold, each is tried by itself, so that none
 *   fails for another
 */
export function batcher<Item, Result>(
  callAll: (items: readonly Item[]) => Promise<readonly Result[]>,
  conflictKey: (item: Item) => string | undefined = () => undefined,
  inFlightMax = IN_FLIGHT_MAX,
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = []
  let inFlight = 0
  let isScheduled = false

  async function send(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await callAll(batch.map(({ item }) => item))
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result)
    } catch (error) {
      if (batch.length > 1 && isForItsValues(error)) for (const one of batch) await send([one])
      else for (const { reject } of batch) reject(error)
    }
  }

  function flush(): void {
    isScheduled = false
    while (waiting.length > 0 && inFlight < inFlightMax) {
      const [batch, rest] = withoutConflicts(waiting, conflictKey)
      waiting = rest
      inFlight += 1
      void send(batch).then(() => {
        inFlight -= 1
        flush()
      })
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (isScheduled) return
      isScheduled = true
      setImmediate(flush)
    })
}

/** The next batch in the order of arrival, and what has to wait for a later one. */
function withoutConflicts<Item, Result>(
  waiting: readonly Waiting<Item, Result>[],
  conflictKey: (item: Item) => string | undefined,
): [Waiting<Item, Result>[], Waiting<Item, Result>[]] {
  const batch: Waiting<Item, Result>[] = []
  const rest: Waiting<Item, Result>[] = []
  const taken = new Set<string>()
  for (const one of waiting) {
    const key = conflictKey(one.item)
    if (batch.length >= BATCH_MAX || (key !== undefined && taken.has(key))) rest.push(one)
    else batch.push(one)
    if (key !== undefined) taken.add(key)
  }
  return [batch, rest]
}

/** Whether PostgreSQL refused a statement for a value in it (classes 22 and 23 of its SQLSTATE): then nothing was written. */
function isForItsValues(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && /^2[23]/.test(code)
}
