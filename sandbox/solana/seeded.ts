import { join } from 'node:path'
import type { SolanaChain } from '../../chains/chain.js'
import type { Logger } from '../../kernel/log.js'
import { loadPrograms } from '../solana-programs/programs.js'
import { seedYield } from '../solana-programs/seed-yield.js'
import type { SandboxState } from '../state.js'
import { addressOfSeed, secretKeyOfSeed } from './keys.js'
import { seedSolana, solanaChain, SOLANA_TOKENS } from './seed.js'
import { startSolana, type Solana } from './solana.js'

/** The sandbox's Solana with everything on it: tokens, funded accounts and lending markets. */
export interface SeededSolana extends Solana {
  chain: SolanaChain
  /** The lending markets, as `YIELD_MARKETS_FILE` would hold them. */
  yieldMarkets: object
}

/**
 * Starts the chain of a sandbox and brings it to its first state.
 * @param running takes what ends it, as soon as there is something to end
 * @throws Error as `startSolana`
 */
export async function startSeededSolana(
  options: { dataDir: string; state: SandboxState; log: Logger; onCrash: (reason: Error) => void },
  running: (() => Promise<void>)[],
): Promise<SeededSolana> {
  const { state, log, onCrash } = options
  const solana = await startSolana({
    dataDir: join(options.dataDir, 'solana'),
    aheadMs: state.clockAheadMs,
    programs: loadPrograms(),
    log,
    onCrash,
  })
  running.push(() => solana.stop())
  const { rpcUrl } = solana
  const payer = addressOf(state.solana.payerSeed)
  await seedSolana(rpcUrl, { payer, treasury: addressOf(state.solana.treasurySeed) })
  const yieldMarkets = await seedYield(rpcUrl, { tokens: SOLANA_TOKENS, payer })
  return { ...solana, chain: solanaChain(rpcUrl), yieldMarkets }
}

/** The throw-away payer as `sandbox.json` shows it. */
export function solanaWallet({ solana }: SandboxState): { address: string; secret_key: number[] } {
  const seed = Buffer.from(solana.payerSeed, 'hex')
  return { address: addressOfSeed(seed), secret_key: secretKeyOfSeed(seed) }
}

function addressOf(seedHex: string): string {
  return addressOfSeed(Buffer.from(seedHex, 'hex'))
}
