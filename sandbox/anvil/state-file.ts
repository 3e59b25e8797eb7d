import { createWriteStream, existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import { createGunzip } from 'node:zlib'
import { TransactionNotFoundError } from 'viem'
import type { Logger } from '../../kernel/log.js'
import type { Journal, JournalEntry } from './journal.js'
import type { AnvilClient } from './test-client.js'

const CHECK_INTERVAL_MS = 250
/** Within this the node has told its state. */
const TOLD_WITHIN_MS = 60_000

/** Keeps a chain's state on disk. */
export interface StateKeeper {
  /** Writes what is not written yet, and stops. */
  stop(): Promise<void>
}

/** Where the state of the chain lies in a data folder. */
export function stateFilePath(dataDir: string): string {
  return join(dataDir, 'state.json')
}

/**
 * Makes sure that anvil can start from a state file: one that is not JSON is put aside, as anvil refuses to start on it.
 * @returns whether there is one to start from
 */
export function prepareStateFile(file: string, log: Logger): boolean {
  rmSync(`${file}.new`, { force: true })
  if (!existsSync(file)) return false
  try {
    JSON.parse(readFileSync(file, 'utf8'))
    return true
  } catch {
    renameSync(file, `${file}.bad`)
    log.warn(
      { file: `${file}.bad` },
      "the EVM chain's state was unreadable and has been put aside; the chain starts anew",
    )
    return false
  }
}

/**
 * Writes the chain's state to `file` soon after each new block. anvil could do it by itself (`--state`), but it writes in
 * place, so that a kill -9 can leave half a file, and it writes every second even if nothing happened. Here a file is
 * complete or not there; and the larger the state, the rarer it is written (a tenth of the time at most). What is in the
 * file leaves the journal.
 */
export function keepState(
  client: AnvilClient,
  { file, journal, log }: { file: string; journal: Journal; log: Logger },
): StateKeeper {
  let savedBlock: bigint | undefined
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  const save = async (): Promise<void> => {
    const block = await client.getBlockNumber()
    if (block === savedBlock) return
    const answered = journal.entries().filter(({ outcome }) => outcome)
    await writeState(client, file)
    savedBlock = block
    const settled = await Promise.all(answered.map((entry) => isSettled(client, entry, block)))
    journal.forget(new Set(answered.filter((_, index) => settled[index]).map(({ id }) => id)))
  }
  const round = async (): Promise<void> => {
    const startedMs = performance.now()
    await save().catch(() => log.warn("the EVM chain's state could not be saved"))
    if (!stopped) schedule(Math.max(CHECK_INTERVAL_MS, 10 * (performance.now() - startedMs)))
  }
  let running = Promise.resolve()
  const schedule = (delayMs: number): void => {
    timer = setTimeout(() => {
      running = round()
    }, delayMs)
    timer.unref()
  }
  schedule(CHECK_INTERVAL_MS)

  return {
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      await running
      await save().catch(() => log.warn("the EVM chain's state could not be saved"))
    },
  }
}

/** Whether a call has all its effect in the state of a block: one still waits in the pool, which no state holds. */
async function isSettled(client: AnvilClient, { outcome }: JournalEntry, savedBlock: bigint): Promise<boolean> {
  if (!outcome?.taken || !outcome.hash) return true
  const { hash } = outcome
  const transaction = await client.getTransaction({ hash }).catch((error: unknown) => {
    // Neither in a block nor in the pool: it gave way to another one, or was taken out.
    if (error instanceof TransactionNotFoundError) return undefined
    throw error
  })
  // viem's type knows no transaction that still waits.
  const minedIn = transaction?.blockNumber as bigint | null | undefined
  return minedIn === undefined || (minedIn !== null && minedIn <= savedBlock)
}

/** The node's answer goes to the file as it comes: the state of a chain that has paid thousands is too much to hold. */
async function writeState(client: AnvilClient, file: string): Promise<void> {
  const { body } = await fetch(client.transport.url ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_dumpState', params: [] }),
    signal: AbortSignal.timeout(TOLD_WITHIN_MS),
  })
  if (!body) throw new Error('the node told no state')
  const next = createWriteStream(`${file}.new`, { mode: 0o600, flush: true })
  const answer = Readable.fromWeb(body as NodeReadableStream) as AsyncIterable<Uint8Array>
  await pipeline(resultBytes(answer), createGunzip(), next)
  await rename(`${file}.new`, file)
}

/** The bytes of a JSON-RPC result that is one long text of hexadecimal digits. @throws Error where there is none, or no end of it */
async function* resultBytes(answer: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let unread = ''
  let place: 'before' | 'in' | 'after' = 'before'
  for await (const chunk of answer) {
    unread += Buffer.from(chunk).toString('latin1')
    const start = place === 'before' ? unread.indexOf('"0x') : -1
    if (start >= 0) {
      place = 'in'
      unread = unread.slice(start + '"0x'.length)
    }
    if (place !== 'in') continue
    const end = unread.indexOf('"')
    const digits = unread.slice(0, end < 0 ? unread.length - (unread.length % 2) : end)
    yield Buffer.from(digits, 'hex')
    unread = unread.slice(digits.length)
    // What follows is read all the same: a stream that is left half read counts as broken.
    if (end >= 0) place = 'after'
  }
  if (place !== 'after') throw new Error('the node told no whole state')
}
