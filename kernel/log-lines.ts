import { write, writeSync } from 'node:fs'

/** What waits while a reader stalls; lines beyond it are lost. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024

/** A reader that is slow for a moment (EAGAIN) is tried again after this long. */
const BUSY_MS = 100

/** How long the end of the process waits for such a reader. */
const END_MS = 500

const LINE_FEED = 10

/** Lines on their way to a file, a pipe or a terminal. */
export interface LogLines {
  write: (line: string) => void
  /** How many lines could not be written until now. */
  lost: () => number
  /** Writes what waits, as far as that goes. For the end of the process, which nothing here holds up. */
  end: () => void
}

/** Lines that are being written together. */
interface Batch {
  bytes: Buffer
  /** How much of it is written. */
  offset: number
  /** The system writes it just now. */
  isAsked: boolean
}

/**
 * Writes lines in order, beside the work. What cannot be written (a full disk, a reader that is gone) is lost and counted, and the next line
 * is tried again: neither ends the process or holds it up. Pino's own destination does both (sonic-boom 4.2, `flushSync`).
 * @param maxWaitingBytes how much waits at most
 */
export function openLogLines(fd: number, maxWaitingBytes = MAX_WAITING_BYTES): LogLines {
  let waiting: string[] = []
  let waitingBytes = 0
  let batch: Batch | undefined
  let lost = 0
  let toldLost = 0
  // The last write ended within a line.
  let isCut = false

  function add(line: string): void {
    const bytes = Buffer.byteLength(line)
    if (waitingBytes + bytes > maxWaitingBytes) return void (lost += 1)
    waiting.push(line)
    waitingBytes += bytes
  }

  /** Takes all that waits. */
  function take(): Batch | undefined {
    if (waiting.length === 0) return undefined
    const bytes = Buffer.from((isCut ? '\n' : '') + waiting.join(''))
    waiting = []
    waitingBytes = 0
    return { bytes, offset: 0, isAsked: false }
  }

  function giveUp({ bytes, offset }: Batch): void {
    lost += bytes.subarray(offset).filter((byte) => byte === LINE_FEED).length - (isCut && offset === 0 ? 1 : 0)
    if (offset > 0) isCut = bytes[offset - 1] !== LINE_FEED
    batch = undefined
  }

  function done(): void {
    isCut = false
    batch = undefined
    if (lost === toldLost) return
    toldLost = lost
    add(lostLine(lost))
  }

  function writeNext(): void {
    batch ??= take()
    if (!batch) return
    const current = batch
    current.isAsked = true
    write(fd, current.bytes, current.offset, (error, written) => {
      current.isAsked = false
      if (error && isBusy(error)) return void setTimeout(writeNext, BUSY_MS)
      current.offset += error ? 0 : written
      if (error) giveUp(current)
      else if (current.offset === current.bytes.length) done()
      writeNext()
    })
  }

  return {
    write: (line) => {
      add(line)
      if (!batch) writeNext()
    },
    lost: () => lost,
    end: () => {
      // Node waits for what it has asked of the system; that the rest may come before it is the price of an end.
      if (batch?.isAsked) batch = undefined
      for (batch ??= take(); batch; batch = take()) if (!writeRest(fd, batch)) return
    },
  }
}

/** @returns whether all of it could be written */
function writeRest(fd: number, batch: Batch): boolean {
  const endsAtMs = performance.now() + END_MS
  while (batch.offset < batch.bytes.length) {
    try {
      batch.offset += writeSync(fd, batch.bytes, batch.offset)
    } catch (error) {
      if (!isBusy(error) || performance.now() > endsAtMs) return false
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    }
  }
  return true
}

/** Whether the reader takes nothing just now, and may soon. */
function isBusy(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'EAGAIN' || code === 'EBUSY'
}

/** What the log says of its gaps, as its other lines say things. */
function lostLine(lines: number): string {
  const line = { level: 40, time: new Date().toISOString(), lines, msg: 'lines of the log were lost' }
  return `${JSON.stringify(line)}\n`
}
