import { pino, type Logger } from 'pino'

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
  'token',
]

const redactPaths = ['', '*.', '*.*.', '*.*.*.'].flatMap((prefix) =>
  SECRET_FIELDS.map((field) => (field.includes('-') ? `${prefix.slice(0, -1)}["${field}"]` : `${prefix}${field}`)),
)

/**
 * The structured log of a process: one JSON object a line on standard error, so that standard output stays for people.
 * @param level pino's level name, e.g. `info`
 */
export function createLog(level: string): Logger {
  return pino(
    {
      level,
      base: null,
      redact: { paths: redactPaths, censor: '[redacted]' },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    pino.destination({ fd: 2, sync: false }),
  )
}
