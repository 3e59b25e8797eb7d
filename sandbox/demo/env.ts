import { readEnv, text } from '../../kernel/env.js'

/** What the demo reads of the environment. Throws EnvError. */
export function loadDemoEnv(environment: NodeJS.ProcessEnv = process.env): { dataDir: string } {
  return readEnv({ dataDir: text('DATA_DIR', "the sandbox's data folder", '.data') }, environment)
}
