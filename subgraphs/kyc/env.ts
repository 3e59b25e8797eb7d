import { readEnv, secretKey, text, type Values } from '../../kernel/env.js'

/** What the command line for people's data reads; the names and meanings are those of the whole product. */
const VARIABLES = {
  databaseUrl: text('DATABASE_URL', 'a PostgreSQL instead of the embedded one of the running sandbox'),
  dataDir: text('DATA_DIR', "the sandbox's data folder", '.data'),
  masterKey: secretKey('MASTER_KEY', 'finds and opens personal data; needed except in the sandbox'),
  previousMasterKey: secretKey('MASTER_KEY_PREVIOUS', 'opens what an earlier key has sealed'),
}

export type KycEnv = Values<typeof VARIABLES>

/**
 * Reads the environment of the command line.
 * @throws EnvError naming every problem at once
 */
export function loadKycEnv(environment: NodeJS.ProcessEnv = process.env): KycEnv {
  return readEnv(VARIABLES, environment)
}
