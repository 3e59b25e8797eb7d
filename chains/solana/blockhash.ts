import type { SolanaClient } from './client.js'
import { ask } from './rpc.js'

/**
 * The newest blockhash, base58, and the last block height at which it can be used.
 * @throws AppError `provider_unavailable`, `provider_timeout`
 */
export async function readLatestBlockhash({
  call,
}: SolanaClient): Promise<{ blockhash: string; lastValidBlockHeight: number }> {
  const answer = await ask('build', () => call('getLatestBlockhash', [{ commitment: 'confirmed' }]))
  return (answer as { value: { blockhash: string; lastValidBlockHeight: number } }).value
}
