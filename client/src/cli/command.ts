import { parseArgs, type ParseArgsConfig } from 'node:util'
import { UsageError, type CliIo } from './io.js'

/** What the words behind a command were. */
export interface Arguments {
  words: readonly string[]
  options: Readonly<Record<string, string | boolean | undefined>>
}

/** One command: how it is called, and what it does. */
export interface Command {
  /** `webhooks replay ID` */
  usage: string
  summary: string
  /** Options besides `--json` and `--help`. */
  options?: NonNullable<ParseArgsConfig['options']>
  /** What an option's value is, where its name does not say it; shown by `--help`. */
  optionHelp?: Readonly<Record<string, string>>
  run: (args: Arguments, io: CliIo, print: Print) => Promise<void>
}

/** Prints a result: as JSON where that was asked for, otherwise as lines for people. */
export type Print = (value: unknown, lines: readonly string[]) => void

/** The words of a usage that are the command's name: those in lower case. */
export function nameOf({ usage }: Command): string {
  return usage
    .split(' ')
    .filter((word) => /^[a-z]+$/.test(word))
    .join(' ')
}

/**
 * Reads what stands behind a command's name.
 * @throws UsageError for an unknown option, and where a word is missing or too many
 */
export function readArguments(command: Command, rest: readonly string[]): Arguments & { json: boolean } {
  const needed = command.usage.split(' ').filter((word) => /^[A-Z]+$/.test(word))
  const { values, positionals } = parse(command, rest)
  if (positionals.length < needed.length) throw new UsageError(`${needed[positionals.length] ?? ''} is missing.`)
  if (positionals.length > needed.length) throw new UsageError(`"${positionals[needed.length] ?? ''}" is too much.`)
  const { json, ...options } = values as Arguments['options']
  return { words: positionals, options, json: json === true }
}

function parse(command: Command, rest: readonly string[]) {
  try {
    return parseArgs({
      args: [...rest],
      options: { ...command.options, json: { type: 'boolean' } },
      allowPositionals: true,
      strict: true,
    })
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error })
  }
}

/** An option's text. */
export function textOption({ options }: Arguments, name: string): string | undefined {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

/** An option's whole number. @throws UsageError */
export function numberOption(args: Arguments, name: string, from: number, to: number): number | undefined {
  const text = textOption(args, name)
  if (text === undefined) return undefined
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= from && value <= to) return value
  throw new UsageError(`--${name} has to be a whole number from ${from} to ${to}.`)
}
