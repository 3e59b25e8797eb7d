import type { SolanaClient } from './client.js'
import { ask } from './rpc.js'

interface LatestBlockhash {
  context: { slot: number }
  value: { blockhash: string; lastValidBlockHeight: number }
}

/**
 * The newest blockhash, base58, and the last block height at which it can be used.
 * @throws AppError `provider_unavailable`, `provider_timeout`
 */
export async function readLatestBlockhash(client: SolanaClient): Promise<LatestBlockhash['value']> {
  return (await readLatest(client)).value
}

async function readLatest({ call }: Pick<SolanaClient, 'call'>): Promise<LatestBlockhash> {
  return (await ask('build', () => call('getLatestBlockhash', [{ commitment: 'confirmed' }]))) as LatestBlockhash
}

/** So many blocks a blockhash lives (solana-clock: MAX_PROCESSING_AGE). */
const LIFE_BLOCKS = 150

/**
 * A block height after which a transaction cannot land that has got its blockhash elsewhere: that of the newest one, as far as the node that
 * tells of it is no further behind than where the other was given. One that is would have it called expired too early.
 * @throws AppError `provider_unavailable`, `provider_timeout`
 */
export async function readLastValidHeight(client: Pick<SolanaClient, 'call'>, blockhash: string): Promise<number> {
  const [latest, known] = await Promise.all([
    readLatest(client),
    ask('build', () => client.call('isBlockhashValid', [blockhash, { commitment: 'confirmed' }])) as Promise<{
      context: { slot: number }
      value: boolean
    }>,
  ])
  // Each block has a slot, and some slots have none.
  const behind = known.value ? Math.max(known.context.slot - latest.context.slot, 0) : LIFE_BLOCKS
  return latest.value.lastValidBlockHeight + behind
}
