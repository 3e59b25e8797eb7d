import { closeSync, existsSync, fdatasync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { promisify } from 'node:util'
import type { Hex } from 'viem'

/** A call that changes the chain, as it came, and how the node answered. */
export interface JournalEntry {
  id: number
  method: string
  params: readonly unknown[]
  /** The chain's time when it came, in seconds since 1970. */
  atSeconds: number
  /** What the node said: it took the call (with the transaction's hash where it is one), or refused it; absent while unknown. */
  outcome?: { taken: boolean; hash?: Hex }
}

/** The calls that may not be in the chain's state file yet, on disk. */
export interface Journal {
  entries: () => readonly JournalEntry[]
  /** Writes a call down. Resolves with its id once it would outlive a crash of the machine. */
  record: (call: Omit<JournalEntry, 'id' | 'outcome'>) => Promise<number>
  /** Writes down how the node answered, before the caller can know it. */
  answered: (id: number, outcome: NonNullable<JournalEntry['outcome']>) => void
  /** Takes out what is in the state file by now. */
  forget: (ids: ReadonlySet<number>) => void
  close: () => Promise<void>
}

/**
 * Opens the journal of a chain, with what the last run left in it. Each line is an entry, or the answer to one. A line that
 * a crash cut off was never acknowledged, and is left out.
 */
export function openJournal(file: string): Journal {
  const entries = readJournal(file)
  let nextId = Math.max(0, ...entries.keys()) + 1
  let descriptor = openSync(file, 'a', 0o600)
  let isClosed = false
  const append = (line: object): void => {
    writeSync(descriptor, `${JSON.stringify(line)}\n`)
  }
  // Calls that come while the disk is busy share the next wait for it.
  let running: Promise<unknown> = Promise.resolve()
  let waiting: Promise<void> | undefined
  const synced = (): Promise<void> => {
    waiting ??= running
      .catch(() => undefined)
      .then(() => {
        waiting = undefined
        const sync = promisify(fdatasync)(descriptor)
        running = sync
        return sync
      })
    return waiting
  }

  return {
    entries: () => [...entries.values()],
    record: async (call) => {
      const entry = { ...call, id: nextId++ }
      entries.set(entry.id, entry)
      append(entry)
      await synced()
      return entry.id
    },
    answered: (id, outcome) => {
      const entry = entries.get(id)
      if (!entry) return
      entry.outcome = outcome
      append({ id, outcome })
    },
    forget: (ids) => {
      if (ids.size === 0) return
      for (const id of ids) entries.delete(id)
      const kept = openSync(`${file}.new`, 'w', 0o600)
      writeSync(kept, [...entries.values()].map((entry) => `${JSON.stringify(entry)}\n`).join(''))
      fsyncSync(kept)
      renameSync(`${file}.new`, file)
      const old = descriptor
      descriptor = kept
      // A wait for the disk may be under way on the old one.
      void running.catch(() => undefined).then(() => closeSync(old))
    },
    close: async () => {
      await running.catch(() => undefined)
      if (!isClosed) closeSync(descriptor)
      isClosed = true
    },
  }
}

function readJournal(file: string): Map<number, JournalEntry> {
  const entries = new Map<number, JournalEntry>()
  if (!existsSync(file)) return entries
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const read = parseLine(line)
    const known = read && entries.get(read.id)
    if (known && read.method === undefined) known.outcome = read.outcome as NonNullable<JournalEntry['outcome']>
    else if (read?.method !== undefined) entries.set(read.id, read as JournalEntry)
  }
  return entries
}

/** An entry, or the answer to one; undefined where the line is cut off. */
function parseLine(line: string): (Partial<JournalEntry> & { id: number }) | undefined {
  try {
    return JSON.parse(line) as Partial<JournalEntry> & { id: number }
  } catch {
    return undefined
  }
}
