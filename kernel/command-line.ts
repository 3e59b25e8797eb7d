import { parseArgs, type ParseArgsConfig } from 'node:util'
import { EnvError } from './env.js'
import { AppError } from './errors.js'
import { NotAvailableError } from './sandbox-file.js'

/** Where a command line writes to. */
export interface CliOutput {
  out: (line: string) => void
  err: (line: string) => void
}

/** The command line was used wrongly; the message is one sentence that says how to use it. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/**
 * Runs a command line: prints the JSON document that `work` gives, if it has not printed what there is itself, or one message on
 * standard error. `--help` prints `usage`.
 * @returns the exit code: 0, 1 where it could not be done, 2 where it was used wrongly
 */
export async function runCommandLine(
  usage: string,
  args: readonly string[],
  output: CliOutput,
  work: () => Promise<object | undefined>,
): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    output.out(usage)
    return 0
  }
  try {
    const answer = await work()
    if (answer) output.out(JSON.stringify(answer, null, 2))
    return 0
  } catch (error) {
    if (error instanceof UsageError) {
      output.err(`${error.message}\n\n${usage}`)
      return 2
    }
    if (!(error instanceof AppError || error instanceof EnvError || error instanceof NotAvailableError)) throw error
    output.err(error.message)
    return 1
  }
}

/** Runs a command line with the arguments of this process, whose exit code it becomes. */
export async function runInProcess(
  cli: (args: readonly string[], output: CliOutput) => Promise<number>,
): Promise<void> {
  // A reader that has enough, such as `head`, closes the pipe: that ends the command, and is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit()
  })
  process.exitCode = await cli(process.argv.slice(2), {
    out: (line) => process.stdout.write(`${line}\n`),
    err: (line) => process.stderr.write(`${line}\n`),
  })
}

/** What the options of a command were set to. */
export type OptionValues = Readonly<Record<string, string | boolean | undefined>>

/**
 * Reads the options behind a command's name.
 * @throws UsageError for an unknown option, or a word that is none
 */
export function readOptions(args: readonly string[], options: NonNullable<ParseArgsConfig['options']>): OptionValues {
  try {
    return parseArgs({ args: [...args], options, strict: true }).values as OptionValues
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error })
  }
}

/** What an option of a command says before its options are read, `--name value` or `--name=value`; undefined where it is not there. */
export function optionIn(args: readonly string[], name: string): string | undefined {
  const at = args.findLastIndex((word) => word === `--${name}` || word.startsWith(`--${name}=`))
  const word = args[at]
  return word === `--${name}` ? args[at + 1] : word?.slice(`--${name}=`.length)
}

/** An option with a value that is needed. @throws UsageError */
export function neededOption(values: OptionValues, option: string): string {
  const value = values[option]
  if (typeof value !== 'string' || value.trim() === '') throw new UsageError(`--${option} is needed.`)
  return value
}

/** The failure of a name that is no command. */
export function unknownCommand(name: string): UsageError {
  return new UsageError(name === '' ? 'There is no command.' : `There is no command "${name}".`)
}
