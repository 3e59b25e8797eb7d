import type { IntegrationCommandDeps } from './integration-commands.js'
import { isIntegrationCommand, runIntegrationCommand } from './integration-commands.js'
import { isKeyCommand, runKeyCommand } from './key-commands.js'
import type { TenantCommand } from './read-command.js'
import { runTenantCommand } from './tenant-commands.js'

/**
 * Runs one command.
 * @returns what is printed as JSON, in the names that REST uses
 * @throws AppError where a tenant or a key does not exist or an input is refused
 */
export function runCommand(deps: IntegrationCommandDeps, command: TenantCommand): Promise<object> {
  if (isKeyCommand(command)) return runKeyCommand(deps, command)
  if (isIntegrationCommand(command)) return runIntegrationCommand(deps, command)
  return runTenantCommand(deps, command)
}
