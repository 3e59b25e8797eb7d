import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { addressedSupergraph } from '../gateway/addressed-supergraph.js'
import type { CliOutput } from '../kernel/command-line.js'
import { EnvError } from '../kernel/env.js'
import { projectRoot } from '../kernel/root.js'
import { loadSubgraphUrls } from './env.js'

const USAGE = `Usage: npm run --silent admin -- supergraph > supergraph.graphql

Prints the composed schema for a Federation 2 router, with the addresses of SUBGRAPH_URLS:
  SUBGRAPH_URLS=payments=http://payments:4000/payments/graphql,orders=…`

/**
 * `npm run admin -- supergraph`.
 * @returns 0; 2 where an address is missing, or a word is not known
 */
export function supergraphCli(
  args: readonly string[],
  output: CliOutput,
  environment?: NodeJS.ProcessEnv,
): Promise<number> {
  const isHelp = args.includes('--help') || args.includes('-h')
  if (args.length > 0) {
    if (isHelp) output.out(USAGE)
    else output.err(USAGE)
    return Promise.resolve(isHelp ? 0 : 2)
  }
  try {
    const sdl = readFileSync(join(projectRoot, 'schema', 'supergraph.graphql'), 'utf8')
    output.out(addressedSupergraph(sdl, loadSubgraphUrls(environment)))
    return Promise.resolve(0)
  } catch (error) {
    if (!(error instanceof EnvError)) throw error
    for (const problem of error.problems) output.err(problem)
    return Promise.resolve(2)
  }
}
