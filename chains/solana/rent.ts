import type { SolanaClient } from './client.js'
import { ask } from './rpc.js'

/**
 * What an account of so many bytes has to hold so that it stays, in lamports. Web3.js answers 0 where the node does not answer.
 * @throws AppError `provider_unavailable`, `provider_timeout`
 */
export async function readRent(client: SolanaClient, bytes: number): Promise<number> {
  return (await ask('build', () => client.call('getMinimumBalanceForRentExemption', [bytes]))) as number
}
