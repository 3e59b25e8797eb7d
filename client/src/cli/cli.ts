import { ApiError, ConnectionError } from '../api-error.js'
import { GraphqlError } from '../graphql.js'
import { clockAdvance } from './clock.js'
import { nameOf, readArguments, type Command } from './command.js'
import { NotPossibleError, UsageError, type CliIo } from './io.js'
import { listen } from './listen.js'
import { login } from './login.js'
import { listPayments, refundPayment, showPayment } from './payments.js'
import { trigger } from './trigger.js'
import { acceptUnderpaid, giveBackUnderpaid } from './underpaid.js'
import { adviceOf, UnknownOutcomeError } from './unknown-outcome.js'
import { listWebhooks, replayWebhook } from './webhooks.js'

const COMMANDS: readonly Command[] = [
  login,
  listPayments,
  showPayment,
  refundPayment,
  acceptUnderpaid,
  giveBackUnderpaid,
  listWebhooks,
  replayWebhook,
  listen,
  trigger,
  clockAdvance,
]

/**
 * Runs the command line.
 * @returns the exit code: 0, 1 where it could not be done, 2 where it was used wrongly
 */
export async function cli(args: readonly string[], io: CliIo): Promise<number> {
  // `payments payments list` is `payments list`.
  const words = args[0] === 'payments' ? args.slice(1) : args
  const command = COMMANDS.find((candidate) => isCalled(candidate, words))
  if (words.includes('--help') || words.includes('-h') || words.length === 0) {
    io.out(command ? helpOf(command) : usage())
    return words.length === 0 ? 2 : 0
  }
  try {
    if (!command) throw new UsageError(`There is no command "${words.join(' ')}".`)
    const given = readArguments(command, words.slice(nameOf(command).split(' ').length))
    await command.run(given, io, (value, lines) => {
      if (given.json) io.out(JSON.stringify(value, null, 2))
      else for (const line of lines) io.out(line)
    })
    return 0
  } catch (error) {
    return told(error, io, words, command)
  }
}

function isCalled(command: Command, words: readonly string[]): boolean {
  const name = nameOf(command).split(' ')
  return name.every((word, index) => words[index] === word)
}

function told(error: unknown, io: CliIo, words: readonly string[], command: Command | undefined): number {
  if (error instanceof UsageError) {
    io.err(`${error.message}\n\n${command ? helpOf(command) : usage()}`)
    return 2
  }
  if (error instanceof UnknownOutcomeError) {
    const why = io.signal.aborted ? [] : linesOf(error.cause)
    for (const line of [...why, ...adviceOf(error, words)]) io.err(line)
    return 1
  }
  if (io.signal.aborted) return 0
  for (const line of linesOf(error)) io.err(line)
  return 1
}

/** What a person is told of a failure. @throws the error where nobody foresaw it */
function linesOf(error: unknown): string[] {
  if (error instanceof NotPossibleError) return [error.message]
  if (error instanceof ConnectionError) return [`${error.message}. Does the service run? PAYMENTS_URL says where.`]
  if (error instanceof GraphqlError) return [`${error.errors[0]?.code?.toLowerCase() ?? 'error'}: ${error.message}`]
  if (!(error instanceof ApiError)) throw error
  const fields = error.fields.map(({ field, message }) => `  ${field}: ${message}`)
  const id = error.requestId === undefined ? [] : [`  request ${error.requestId}`]
  return [
    `${error.code}: ${error.message}`,
    ...fields,
    ...(error.details === undefined ? [] : [`  ${error.details}`]),
    ...id,
  ]
}

function usage(): string {
  const width = Math.max(...COMMANDS.map((command) => command.usage.length))
  return [
    'Usage: payments COMMAND [--json]',
    '',
    ...COMMANDS.map((command) => `  ${command.usage.padEnd(width)}  ${command.summary}`),
    '',
    'The key is that of `payments login`, or PAYMENTS_API_KEY; the address PAYMENTS_URL.',
    '`payments COMMAND --help` tells more.',
  ].join('\n')
}

function helpOf(command: Command): string {
  const options = Object.entries(command.options ?? {}).map(([name, { type }]) => {
    const help = command.optionHelp?.[name]
    return `  --${name}${type === 'string' ? ' VALUE' : ''}${help === undefined ? '' : `  ${help}`}`
  })
  return [`Usage: payments ${command.usage}`, '', command.summary, '', 'Options:', ...options, '  --json'].join('\n')
}
