import type { Hex } from 'viem'
import type { EvmChain } from '../chain.js'
import { readFinality } from '../evm/canonical.js'
import type { EvmClient } from '../evm/client.js'
import { finalityOfEvm, type Finality, type LandedIn } from './evm-signed.js'

/** So many are kept, the newest; of others nodes are asked one by one. */
const KEPT_MAX = 10_000

/** What has become of transactions that landed on one chain. */
export type LandedLook = (raw: Hex, hash: Hex) => Promise<Finality>

/**
 * As `finalityOfEvm`, for all transactions of a chain that are followed to its finality. In which block one was found is kept, and is
 * asked for by block: whether one node has these blocks still, and which of its blocks are final, is one read for all who ask meanwhile. A
 * transaction whose block is gone is looked for by itself.
 */
export function followLandedEvm(client: EvmClient, chain: EvmChain): LandedLook {
  const places = new Map<Hex, LandedIn>()
  const readBlock = sharedRead((blockNumbers) => readFinality(client, chain, blockNumbers))
  const keep = (hash: Hex, place: LandedIn): void => {
    places.set(hash, place)
    const [oldest] = places.keys()
    if (places.size > KEPT_MAX && oldest !== undefined) places.delete(oldest)
  }
  return async (raw, hash) => {
    const place = places.get(hash)
    if (place) {
      const { final, hashAt } = await readBlock(place.blockNumber)
      const isThere = hashAt(place.blockNumber) === place.blockHash
      if (isThere && place.blockNumber > final) return 'waiting'
      places.delete(hash)
      if (isThere) return place.isReverted ? 'reverted' : 'final'
    }
    return finalityOfEvm(client, chain, raw, hash, (found) => keep(hash, found))
  }
}

/** Reads at once what was asked for while the read before it ran. */
function sharedRead<View>(
  read: (blockNumbers: readonly bigint[]) => Promise<View>,
): (blockNumber: bigint) => Promise<View> {
  let next: { blockNumbers: Set<bigint>; view: Promise<View> } | undefined
  let last: Promise<unknown> = Promise.resolve()
  const begin = () => {
    const blockNumbers = new Set<bigint>()
    const view = last.then(() => {
      next = undefined
      return read([...blockNumbers])
    })
    last = view.catch(() => undefined)
    return { blockNumbers, view }
  }
  return (blockNumber) => {
    next ??= begin()
    next.blockNumbers.add(blockNumber)
    return next.view
  }
}
