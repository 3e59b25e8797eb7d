import { runCommandLine, type CliOutput } from '../../../kernel/command-line.js'
import { loadAccountsEnv } from '../env.js'
import { openAccounts } from './open-accounts.js'
import { readCommand, USAGE } from './read-command.js'
import { runCommand } from './run-command.js'

/** `npm run tenant -- …`; prints and returns what `runCommandLine` says. */
export function tenantCli(
  args: readonly string[],
  output: CliOutput,
  environment?: NodeJS.ProcessEnv,
): Promise<number> {
  return runCommandLine(USAGE, args, output, async () => {
    const command = readCommand(args)
    const { deps, close } = await openAccounts(
      loadAccountsEnv(environment),
      command.name === 'create' || command.name === 'rotate-secrets',
    )
    return runCommand(deps, command).finally(close)
  })
}
