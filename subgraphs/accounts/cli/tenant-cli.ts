import { runCommandLine, type CliOutput } from '../../../kernel/command-line.js'
import { loadAccountsEnv } from '../env.js'
import { openAccounts } from './open-accounts.js'
import { readCommand, USAGE, type TenantCommand } from './read-command.js'
import { runCommand } from './run-command.js'

/** The commands that seal a webhook secret. */
const SEALS: ReadonlySet<TenantCommand['name']> = new Set([
  'create',
  'integration add',
  'integration rotate',
  'rotate-secrets',
])

/** `npm run tenant -- …`; prints and returns what `runCommandLine` says. */
export function tenantCli(
  args: readonly string[],
  output: CliOutput,
  environment?: NodeJS.ProcessEnv,
): Promise<number> {
  return runCommandLine(USAGE, args, output, async () => {
    const command = readCommand(args)
    const { deps, close } = await openAccounts(loadAccountsEnv(environment), SEALS.has(command.name))
    return runCommand(deps, command).finally(close)
  })
}
