import { runWrittenDown } from '../../../kernel/audit-command.js'
import { readOptions, runCommandLine, unknownCommand, type CliOutput } from '../../../kernel/command-line.js'
import { loadAccountsEnv } from '../env.js'
import type { Commands } from './command.js'
import { INTEGRATION_COMMANDS } from './integration-commands.js'
import { KEY_COMMANDS } from './key-commands.js'
import { openAccounts } from './open-accounts.js'
import { textOption } from './options.js'
import { TENANT_COMMANDS } from './tenant-commands.js'

const COMMANDS: Commands = { ...TENANT_COMMANDS, ...KEY_COMMANDS, ...INTEGRATION_COMMANDS }

const USAGE = `Usage: npm run tenant -- <command>

${Object.entries(COMMANDS)
  .flatMap(([name, { usage, help }]) => [
    `  ${name} ${usage}`.trimEnd(),
    ...(help?.split('\n') ?? []).map((line) => `      ${line}`),
  ])
  .join('\n')}

Keys are for tests unless --live is given. Keys and webhook secrets are shown once.`

/** `npm run tenant -- …`; prints and returns what `runCommandLine` says. */
export function tenantCli(
  args: readonly string[],
  output: CliOutput,
  environment?: NodeJS.ProcessEnv,
): Promise<number> {
  return runCommandLine(USAGE, args, output, async () => {
    const words = args[0] === 'key' || args[0] === 'integration' ? 2 : 1
    const name = args.slice(0, words).join(' ')
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
    if (!command) throw unknownCommand(name)
    const values = readOptions(args.slice(words), command.options)
    const act = command.read(values)
    const { deps, target, close } = await openAccounts(loadAccountsEnv(environment), command.seals ?? false)
    const tenantId = textOption(values, 'tenant') ?? null
    const named = { tenantId, publicClientId: values['public-client-id'], keyId: values['key'] }
    const run = (): Promise<object> => act(deps)
    return (
      command.isRead ? run() : runWrittenDown(target, { operation: `tenant ${name}`, tenantId, named }, run)
    ).finally(close)
  })
}
