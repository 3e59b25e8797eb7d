import { readEnv, secretKey, text, type Values } from '../../kernel/env.js'
import { COMMAND_VARIABLES } from '../../kernel/sandbox-file.js'

/** What the command line for tenants and keys reads besides what each of them reads. */
const VARIABLES = {
  ...COMMAND_VARIABLES,
  masterKey: secretKey('MASTER_KEY', 'seals webhook secrets; needed to create tenants, except in the sandbox'),
  previousMasterKey: secretKey('MASTER_KEY_PREVIOUS', 'opens webhook secrets that an earlier key has sealed'),
  publicClientIdPrefix: text('PUBLIC_CLIENT_ID_PREFIX', 'the fixed prefix of public_client_id', 'pk_'),
}

export type AccountsEnv = Values<typeof VARIABLES>

/**
 * Reads the environment of the command line.
 * @throws EnvError naming every problem at once
 */
export function loadAccountsEnv(environment: NodeJS.ProcessEnv = process.env): AccountsEnv {
  return readEnv(VARIABLES, environment)
}
