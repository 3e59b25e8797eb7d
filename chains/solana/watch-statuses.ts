import type { SolanaChain } from '../chain.js'
import { createChainWatch, type ChainWatch, type LookFor, type WatchRuntime } from '../watch.js'
import type { SolanaClient } from './client.js'
import { confirmationOf, STATUSES_MAX, type Confirmation, type SignatureStatus } from './confirm.js'
import { ask } from './rpc.js'

/** Where a transaction has come to its end by the chain's commitment. */
export type LandedTransaction = Extract<Confirmation, { slot: number }>

/** Between two looks: about two slots. */
const POLL_MS = 500

/** Watches a chain for all transactions that are waited for: one call in each interval for every 256 of them. */
export function watchStatuses(
  client: SolanaClient,
  chain: Pick<SolanaChain, 'commitment'>,
  runtime: WatchRuntime,
): ChainWatch<LandedTransaction> {
  return createChainWatch({ look: lookByStatus(client, chain), pollMs: POLL_MS }, runtime)
}

/** What looks for transactions among those that nodes know without their history, as it is for what was sent just now. */
export function lookByStatus(client: SolanaClient, chain: Pick<SolanaChain, 'commitment'>): LookFor<LandedTransaction> {
  return async (signatures) => {
    const ended = new Map<string, LandedTransaction>()
    const confirming = new Set<string>()
    for (let index = 0; index < signatures.length; index += STATUSES_MAX) {
      const asked = signatures.slice(index, index + STATUSES_MAX)
      const { value } = (await ask('confirm', () => client.call('getSignatureStatuses', [asked]))) as {
        value: readonly (SignatureStatus | null)[]
      }
      for (const [position, signature] of asked.entries()) {
        const status = value[position]
        const confirmation = status && confirmationOf(status, chain)
        if (confirmation && 'slot' in confirmation) ended.set(signature, confirmation)
        else if (confirmation) confirming.add(signature)
      }
    }
    return { ended, confirming }
  }
}
