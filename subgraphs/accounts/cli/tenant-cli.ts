import { EnvError } from '../../../kernel/env.js'
import { AppError } from '../../../kernel/errors.js'
import { NotAvailableError } from '../../../kernel/sandbox-file.js'
import { loadAccountsEnv } from '../env.js'
import { openAccounts } from './open-accounts.js'
import { readCommand, USAGE, UsageError } from './read-command.js'
import { runCommand } from './run-command.js'

/** Where the command line writes to. */
export interface CliOutput {
  out: (line: string) => void
  err: (line: string) => void
}

/**
 * `npm run tenant -- …`: prints one JSON document, or one message on standard error.
 * @returns the exit code: 0, 1 where it could not be done, 2 where it was used wrongly
 */
export async function tenantCli(
  args: readonly string[],
  output: CliOutput,
  environment?: NodeJS.ProcessEnv,
): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    output.out(USAGE)
    return 0
  }
  try {
    const command = readCommand(args)
    const { deps, close } = await openAccounts(
      loadAccountsEnv(environment),
      command.name === 'create' || command.name === 'rotate-secrets',
    )
    try {
      output.out(JSON.stringify(await runCommand(deps, command), null, 2))
    } finally {
      await close()
    }
    return 0
  } catch (error) {
    if (error instanceof UsageError) {
      output.err(`${error.message}\n\n${USAGE}`)
      return 2
    }
    if (!(error instanceof AppError || error instanceof EnvError || error instanceof NotAvailableError)) throw error
    output.err(error.message)
    return 1
  }
}
