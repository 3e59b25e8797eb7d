import { runWrittenDown } from '../../../kernel/audit-command.js'
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

/** The commands that change nothing: all others are written into the audit log. */
const READS: ReadonlySet<TenantCommand['name']> = new Set(['list', 'show', 'key list', 'integration list'])

/** `npm run tenant -- …`; prints and returns what `runCommandLine` says. */
export function tenantCli(
  args: readonly string[],
  output: CliOutput,
  environment?: NodeJS.ProcessEnv,
): Promise<number> {
  return runCommandLine(USAGE, args, output, async () => {
    const command = readCommand(args)
    const { deps, url, close } = await openAccounts(loadAccountsEnv(environment), SEALS.has(command.name))
    const tenantId = 'tenantId' in command ? command.tenantId : null
    const audited = { operation: `tenant ${command.name}`, tenantId, named: command }
    const run = (): Promise<object> => runCommand(deps, command)
    return (READS.has(command.name) ? run() : runWrittenDown(url, audited, run)).finally(close)
  })
}
