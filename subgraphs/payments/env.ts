import { readEnv, text, type Values } from '../../kernel/env.js'

/** What the command line for the ledger reads; the names and meanings are those of the whole product. */
const VARIABLES = {
  databaseUrl: text('DATABASE_URL', 'a PostgreSQL instead of the embedded one of the running sandbox'),
  dataDir: text('DATA_DIR', "the sandbox's data folder", '.data'),
}

export type LedgerEnv = Values<typeof VARIABLES>

/**
 * Reads the environment of the command line.
 * @throws EnvError naming every problem at once
 */
export function loadLedgerEnv(environment: NodeJS.ProcessEnv = process.env): LedgerEnv {
  return readEnv(VARIABLES, environment)
}
