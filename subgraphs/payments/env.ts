import { readEnv } from '../../kernel/env.js'
import { COMMAND_VARIABLES, type CommandEnv } from '../../kernel/sandbox-file.js'

/** Reads the environment of the ledger's command line. Throws EnvError naming every problem at once. */
export function loadLedgerEnv(environment: NodeJS.ProcessEnv = process.env): CommandEnv {
  return readEnv(COMMAND_VARIABLES, environment)
}
