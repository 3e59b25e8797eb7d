import type { Chain } from '../../chains/chain.js'
import { parseChains } from '../../chains/parse-chains.js'
import { jsonFile, readEnv } from '../../kernel/env.js'
import { COMMAND_VARIABLES, type CommandEnv } from '../../kernel/sandbox-file.js'

/** What the ledger's command line reads of the environment. */
export interface LedgerEnv extends CommandEnv {
  /**
   * The chains of the deployment; undefined where its list is not at hand. Read by the commands that check names alone: the others
   * work without the file. Throws EnvError where it cannot be read.
   */
  readChains?: () => readonly Chain[] | undefined
}

const CHAINS = {
  chains: jsonFile('CHAINS_FILE', 'the chains of the deployment, by which their names are checked', parseChains),
}

/** Reads the environment of the ledger's command line. Throws EnvError naming every problem at once. */
export function loadLedgerEnv(environment: NodeJS.ProcessEnv = process.env): LedgerEnv {
  return { ...readEnv(COMMAND_VARIABLES, environment), readChains: () => readEnv(CHAINS, environment).chains }
}
