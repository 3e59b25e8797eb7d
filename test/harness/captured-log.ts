import { createLog, type Logger } from '../../kernel/log.js'

/** A log whose lines can be read. */
export function capturedLog(level = 'debug'): { log: Logger; lines: string[] } {
  const lines: string[] = []
  return { lines, log: createLog(level, { write: (line) => void lines.push(line) }) }
}
