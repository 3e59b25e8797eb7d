import type { ParseArgsConfig } from 'node:util'
import type { OptionValues } from '../../../kernel/command-line.js'
import type { CreateTenantDeps } from '../domain/create-tenant.js'
import type { AccountsDeps } from '../deps.js'

/** What the commands need. */
export type CommandDeps = CreateTenantDeps &
  Pick<AccountsDeps, 'registeredEndpoints' | 'storedAnswers' | 'storedBodies' | 'transaction'>

/** A command of `npm run tenant`, under its name. */
export interface Command {
  /** Its options, as the help shows them. */
  usage: string
  /** What the help says of it, in lines. */
  help?: string
  options: NonNullable<ParseArgsConfig['options']>
  /** It changes nothing: all others are written into the audit log. */
  isRead?: true
  /** It seals a webhook secret, which takes the master key. */
  seals?: true
  /**
   * Reads the options.
   * @returns what does it, and answers what is printed as JSON, in the names that REST uses
   * @throws UsageError with one sentence; AppError, when it is done, where something does not exist or an input is refused
   */
  read: (values: OptionValues) => (deps: CommandDeps) => Promise<object>
}

export type Commands = Readonly<Record<string, Command>>
