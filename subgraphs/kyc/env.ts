import { readEnv, secretKey, type Values } from '../../kernel/env.js'
import { COMMAND_VARIABLES } from '../../kernel/sandbox-file.js'

/** What the command line for people's data reads besides what each of them reads. */
const VARIABLES = {
  ...COMMAND_VARIABLES,
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
