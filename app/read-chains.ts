import { readFileSync } from 'node:fs'
import type { Chain } from '../chains/chain.js'
import { parseChains } from '../chains/parse-chains.js'

/** The chains of a file as `CHAINS_FILE` names it. @throws Error where it is no such file */
export function readChains(file: string): Chain[] {
  return parseChains(JSON.parse(readFileSync(file, 'utf8')))
}
