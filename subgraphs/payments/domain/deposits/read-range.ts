import type { EvmChain } from '../../../../chains/chain.js'
import type { EvmClient } from '../../../../chains/evm/client.js'
import { readBlockTimes, readDeposits, readSafeHead, type SeenTransfer } from '../../../../chains/evm/read-deposits.js'
import type { ChainAccess } from '../../model/chain-access.js'
import type { NewDeposit, PaymentAddress } from '../../model/payment-address.js'
import type { Runtime } from '../../model/runtime.js'
import type { Watched, WatchScope } from '../../store/addresses.js'
import type { Stores } from '../../store/stores.js'

/** What reading a range of blocks needs. */
export type ReadRangeDeps = Pick<ChainAccess, 'evmClient'> & Pick<Runtime, 'log'> & Pick<Stores, 'addresses' | 'alerts'>

/** So many blocks are read at once, and so many addresses asked for: nodes limit both. */
const BLOCKS_MAX = 1_000n
const ADDRESSES_MAX = 1_000
/** How far back a chain is read again that has dropped the block up to which it was read. */
const REWIND_BLOCKS = 256n
const BOTH: readonly WatchScope[] = ['open', 'all']

/**
 * Reads the next range of blocks for what came to the watched addresses, and writes it down.
 * @param all those of the chain that are watched at all
 * @returns whether there is more to read, or nothing; `behind`: the node that answered does not have it yet
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function readRange(
  deps: ReadRangeDeps,
  chain: EvmChain,
  { watched, all }: { watched: Watched; all: Watched },
): Promise<'more' | 'done' | 'behind'> {
  const { addresses, log } = deps
  const client = deps.evmClient(chain)
  const { firstBlock, addresses: count } = await addresses.span(watched)
  if (count === 0) return 'done'
  const cursor = await addresses.cursor(chain.name, watched.scope)
  const { safe, isSameBranch } = await readSafeHead(client, chain.confirmations, cursor)
  if (cursor && !isSameBranch) {
    const block = cursor.block > REWIND_BLOCKS ? cursor.block - REWIND_BLOCKS : 0n
    log.warn(
      { chain: chain.name, from: block.toString() },
      'blocks were dropped; what came in them is looked for again',
    )
    // With a hash that no block at that height has. The branch that stays is read for all addresses, and at once.
    await addresses.rewind(chain.name, BOTH, { block, blockHash: cursor.blockHash })
    return readFrom(deps, { chain, client, watched: all, from: block + 1n, safe, scopes: BOTH })
  }
  // Where none of the chain's own is watched, what was sent on the wrong chain is looked for from now on.
  const first = firstBlock ?? (cursor ? 0n : safe)
  const next = cursor ? cursor.block + 1n : first
  const from = next > first ? next : first
  if (from > safe) return 'done'
  return readFrom(deps, { chain, client, watched, from, safe, scopes: [watched.scope] })
}

interface Reading {
  chain: EvmChain
  client: EvmClient
  watched: Watched
  from: bigint
  safe: bigint
  /** Whose cursors move. */
  scopes: readonly WatchScope[]
}

async function readFrom(deps: ReadRangeDeps, reading: Reading): Promise<'more' | 'behind'> {
  const { chain, client, watched, from, safe, scopes } = reading
  const to = from + BLOCKS_MAX - 1n < safe ? from + BLOCKS_MAX - 1n : safe
  const found: NewDeposit[] = []
  let after = ''
  for (;;) {
    const page = await deps.addresses.watched(watched, after, ADDRESSES_MAX)
    const range = { from, to, confirmations: chain.confirmations }
    const read = await readDeposits(
      client,
      page.map(({ address }) => address),
      range,
    )
    if (!read) return 'behind'
    found.push(...(await depositsIn(deps, reading, page, read.transfers)))
    after = page.at(-1)?.address ?? ''
    if (page.length < ADDRESSES_MAX) {
      await deps.addresses.record(chain.name, scopes, read.upTo, found)
      return 'more'
    }
  }
}

/** The transfers of the tokens that are waited for. Another token, or another chain, is no payment: an operator is told of it. */
async function depositsIn(
  { alerts }: ReadRangeDeps,
  { chain, client }: Reading,
  page: readonly PaymentAddress[],
  transfers: readonly SeenTransfer[],
): Promise<NewDeposit[]> {
  const byAddress = new Map(page.map((address) => [address.address, address]))
  const times = await readBlockTimes(
    client,
    transfers.map(({ blockNumber }) => blockNumber),
  )
  const deposits: NewDeposit[] = []
  for (const { hash, logIndex, token, from: sender, to, amount, blockNumber, blockHash } of transfers) {
    const address = byAddress.get(to)
    const minedAt = times.get(blockNumber)
    if (!address || !minedAt || amount === 0n) continue
    const { tenantId, paymentId } = address
    if (token === address.token && chain.name === address.chainName) {
      deposits.push({ hash, logIndex, tenantId, paymentId, sender, amount, blockNumber, blockHash, minedAt })
      continue
    }
    const details = `${hash} brought ${amount} units of ${token} on ${chain.name}; the payment waits for ${address.token} on ${address.chainName}`
    await alerts.raise({ kind: 'deposit_unexpected', subject: paymentId, details })
  }
  return deposits
}
