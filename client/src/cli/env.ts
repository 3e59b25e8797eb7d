import { homedir } from 'node:os'
import { join } from 'node:path'
import type { CliEnv } from './io.js'

/** Reads the environment, once. */
export function readEnv(): CliEnv {
  const { PAYMENTS_URL: url, PAYMENTS_API_KEY: apiKey, XDG_CONFIG_HOME: folder } = process.env
  return { url, apiKey, credentialsFile: join(folder || join(homedir(), '.config'), 'payments', 'credentials.json') }
}
