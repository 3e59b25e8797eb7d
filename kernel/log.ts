import { pino, type DestinationStream, type Logger } from 'pino'
import type { AppError } from './errors.js'
import { loggedError } from './log-error.js'
import { openLogLines, type LogLines } from './log-lines.js'

export type { Logger } from 'pino'

/**
 * Names of fields that may hold a secret, a card's data, a tax id or a one-time code. The log never shows them, at any
 * of the depths at which our own objects carry them.
 */
const SECRET_FIELDS = [
  'apiKey',
  'api_key',
  'authorization',
  'x-api-key',
  'card',
  'card_data',
  'cardData',
  'cvv',
  'number',
  'otp',
  'password',
  'payer_cpf',
  'payerCpf',
  'payer_document',
  'payerDocument',
  'holder_document',
  'holderDocument',
  'private_key',
  'privateKey',
  'secret',
  'secret_key',
  'secretKey',
  'secretAccessKey',
  'sessionToken',
  'token',
]

const redactPaths = ['', '*.', '*.*.', '*.*.*.'].flatMap((prefix) =>
  SECRET_FIELDS.map((field) => (field.includes('-') ? `${prefix.slice(0, -1)}["${field}"]` : `${prefix}${field}`)),
)

/** Fewer digits than a card's number or a tax id has. */
const PLAIN_NUMBER = /^\d{1,10}$/

/**
 * What the log shows in place of a field of `SECRET_FIELDS`. A block's or an order's number is no card's, and is needed to
 * find a fault.
 */
export function censor(value: unknown, path: readonly string[]): unknown {
  const [name = '', parent = ''] = path.slice(-2).reverse()
  const isPlain = (typeof value === 'number' || typeof value === 'string') && PLAIN_NUMBER.test(String(value))
  return name === 'number' && isPlain && !/phone|card/i.test(parent) ? value : '[redacted]'
}

let standardError: LogLines | undefined

/** Standard error, which all logs of the process share. */
function openStandardError(): LogLines {
  if (standardError) return standardError
  // Touched once, Node makes a pipe answer EAGAIN where its reader stalls; a write that waited for it would hold up the end of the process.
  void process.stderr
  standardError = openLogLines(2)
  process.once('exit', standardError.end)
  return standardError
}

/** How many lines of the log this process could not write: a full disk, a reader that is gone or stalls. */
export function lostLogLines(): number {
  return standardError?.lost() ?? 0
}

/**
 * The structured log of a process: one JSON object a line on standard error, so that standard output stays for people.
 * @param level pino's level name, e.g. `info`
 * @param destination where the lines go instead
 */
export function createLog(level: string, destination: DestinationStream = openStandardError()): Logger {
  return pino(
    {
      level,
      base: null,
      serializers: { err: (error: unknown) => loggedError(error) },
      redact: { paths: redactPaths, censor },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    destination,
  )
}

/** Logs why a failure of ours came about, where it has a cause: callers see its code only. */
export function logCause({ code, message, cause }: AppError, requestId: string, log: Logger): void {
  if (cause !== undefined) log.warn({ requestId, errorCode: code, err: cause }, message)
}
