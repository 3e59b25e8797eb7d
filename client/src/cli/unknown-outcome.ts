import { CallError } from '../api-error.js'
import type { CallOptions } from '../call.js'
import type { PaymentsClient } from '../client.js'
import { textOption, type Arguments, type Command } from './command.js'
import { openClient } from './credentials.js'
import { UsageError, type CliIo } from './io.js'

/** What every command takes that changes something. */
export const KEY_OPTION = {
  options: { 'idempotency-key': { type: 'string' } },
  optionHelp: { 'idempotency-key': 'names this once: under the same key nothing is done twice; made up if left out' },
} as const satisfies Pick<Command, 'options' | 'optionHelp'>

/** What was asked for may have happened. */
export class UnknownOutcomeError extends Error {
  override readonly name = 'UnknownOutcomeError'
  constructor(
    readonly idempotencyKey: string,
    override readonly cause: unknown,
  ) {
    super('It may have happened.')
  }
}

/**
 * Changes something, under the key of the command line or a new one.
 * @throws UnknownOutcomeError where it may have happened, though no success came of it
 */
export async function change<Result>(
  args: Arguments,
  { env, signal }: CliIo,
  call: (client: PaymentsClient, options: CallOptions) => Promise<Result>,
): Promise<Result> {
  const idempotencyKey = keyOf(args)
  const client = await openClient(env)
  try {
    return await call(client, { idempotencyKey, signal })
  } catch (error) {
    const isUnknown = error instanceof CallError ? error.mayHaveHappened : signal.aborted
    throw isUnknown ? new UnknownOutcomeError(idempotencyKey, error) : error
  }
}

/** A header takes no other letters, and the service no longer key. */
function keyOf(args: Arguments): string {
  const key = textOption(args, 'idempotency-key') ?? crypto.randomUUID()
  if (/^[!-~]([ -~]{0,253}[!-~])?$/.test(key)) return key
  throw new UsageError('--idempotency-key has to be 1 to 255 letters, digits and signs of ASCII.')
}

/** What to do where it may have happened. @param words the command as it was called */
export function adviceOf({ message, idempotencyKey }: UnknownOutcomeError, words: readonly string[]): string[] {
  const isNamed = words.some((word) => /^--idempotency-key(=|$)/.test(word))
  const again = ['payments', ...words, ...(isNamed ? [] : ['--idempotency-key', idempotencyKey])]
  return [
    `${message} Its idempotency key is ${idempotencyKey}.`,
    'Under this key nothing is done twice within 24 hours. Repeat it so, and not without the key:',
    `  ${again.map(quoted).join(' ')}`,
  ]
}

/** A word as a shell takes it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
