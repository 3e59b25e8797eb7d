/** Work of one key that runs or waits. */
interface Line {
  last: Promise<unknown>
  length: number
}

/**
 * Runs work of the same key one after the other, in the order in which it is asked for.
 * @param waitingMax how many of a key may wait; each holds what its caller holds meanwhile
 * @returns what takes the work, and gives undefined, without running it, where so many wait
 */
export function inTurn(waitingMax: number): <T>(key: string, work: () => Promise<T>) => Promise<T | undefined> {
  const lines = new Map<string, Line>()
  return async (key, work) => {
    const line = lines.get(key) ?? { last: Promise.resolve(), length: 0 }
    if (line.length > waitingMax) return undefined
    lines.set(key, line)
    line.length += 1
    const result = line.last.then(work).finally(() => {
      line.length -= 1
      if (line.length === 0) lines.delete(key)
    })
    line.last = result.catch(() => undefined)
    return result
  }
}
