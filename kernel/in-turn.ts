/** Work of one key that runs, waits or is prepared. */
interface Line {
  last: Promise<unknown>
  length: number
}

/** Takes work in two parts, of which the second waits for its turn. */
type InTurn = <Prepared, T>(
  key: string,
  prepare: () => Promise<Prepared>,
  work: (prepared: Prepared) => Promise<T>,
) => Promise<T | undefined>

/**
 * Runs work of the same key one after the other, in the order in which it was prepared; what prepares it runs beside that of others.
 * @param waitingMax how many of a key may wait or be prepared beside the one that runs; each holds what its caller holds meanwhile
 * @returns what takes the work, and gives undefined, without running any of it, where there are so many
 */
export function inTurn(waitingMax: number): InTurn {
  const lines = new Map<string, Line>()
  return async (key, prepare, work) => {
    const line = lines.get(key) ?? { last: Promise.resolve(), length: 0 }
    if (line.length > waitingMax) return undefined
    lines.set(key, line)
    line.length += 1
    try {
      const prepared = await prepare()
      const result = line.last.then(() => work(prepared))
      line.last = result.catch(() => undefined)
      return await result
    } finally {
      line.length -= 1
      if (line.length === 0) lines.delete(key)
    }
  }
}
