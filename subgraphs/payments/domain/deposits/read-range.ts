import type { Address } from 'viem'
import type { EvmChain } from '../../../../chains/chain.js'
import type { EvmClient } from '../../../../chains/evm/client.js'
import {
  readBlockTimes,
  readDeposits,
  readOtherDeposits,
  readSafeBlock,
  readSafeHead,
  type BlockRange,
  type ReadUpTo,
  type SeenTransfer,
} from '../../../../chains/evm/read-deposits.js'
import { withAdvisoryLock } from '../../../../kernel/advisory-lock.js'
import { AppError } from '../../../../kernel/errors.js'
import type { ChainAccess } from '../../model/chain-access.js'
import type { NewDeposit, PaymentAddress } from '../../model/payment-address.js'
import type { Runtime } from '../../model/runtime.js'
import type { Watched, WatchScope } from '../../store/watched-addresses.js'
import type { Stores } from '../../store/stores.js'
import { tokenAmount, tokenName } from './token-words.js'

/** What reading a range of blocks needs. */
export type ReadRangeDeps = Pick<ChainAccess, 'evmClient' | 'settings'> &
  Pick<Runtime, 'clock' | 'log'> &
  Pick<Stores, 'addresses' | 'alerts' | 'pool'>

/** So many blocks are read at once, and so many addresses asked for: nodes limit both. */
const BLOCKS_MAX = 1_000n
const ADDRESSES_MAX = 1_000
/** How far back a chain is read again that has dropped the block up to which it was read. */
const REWIND_BLOCKS = 256n
const BOTH: readonly WatchScope[] = ['open', 'all']
/** So long payments wait for what may be told of other tokens, where a node fails at it; an alert tells of longer (`watch-addresses`). */
const OTHERS_MS = 5 * 60_000
/** The hash in a cursor that went back, until something behind it was read: of no block. */
const OF_NO_BLOCK = '0x'

/** Whether there is more to read, or nothing; `behind`: the node that answered does not have it yet. */
export type ReadState = 'more' | 'done' | 'behind'

/**
 * Reads the next range of blocks for what came to the watched addresses, and writes it down.
 * @param all those of the chain that are watched at all
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function readRange(
  deps: ReadRangeDeps,
  chain: EvmChain,
  { watched, all }: { watched: Watched; all: Watched },
): Promise<ReadState> {
  const { addresses } = deps
  const client = deps.evmClient(chain)
  const { firstBlock, addresses: count } = await addresses.span(watched)
  // Where nothing is watched at all, watches that are over are told how far the chain is.
  if (count === 0 && watched.scope === 'open') return 'done'
  const cursor = await addresses.cursor(chain.name, watched.scope)
  // One that went back goes back no further, however often what follows cannot be read.
  const isBack = isGoneBack(cursor)
  const { safe, isSameBranch } = await readSafeHead(client, chain.confirmations, isBack ? undefined : cursor)
  const reading = { chain, client, safe, cursor }
  if (cursor && isBack) {
    const from = cursor.block + 1n
    if (from > safe) return 'behind'
    const other = await addresses.cursor(chain.name, watched.scope === 'all' ? 'open' : 'all')
    const areBoth = isGoneBack(other) && other?.block === cursor.block
    // The branch that stays is read for all addresses, and at once; also for those that have waited too long otherwise.
    const every = { ...all, after: new Date(0) }
    if (areBoth) return readFrom(deps, { ...reading, watched: every, from, scopes: BOTH })
    const some = watched.scope === 'all' ? every : watched
    return readFrom(deps, { ...reading, watched: some, from, scopes: [watched.scope] })
  }
  if (cursor && !isSameBranch) return goBack(deps, chain, cursor)
  // Where none of the chain's own is watched, what was sent on the wrong chain is looked for from now on.
  const first = firstBlock ?? (cursor || safe < 0n ? 0n : safe)
  const next = cursor ? cursor.block + 1n : first
  const from = next > first ? next : first
  if (from > safe) return 'done'
  return readFrom(deps, { ...reading, watched, from, scopes: [watched.scope] })
}

/** Whether the chain has dropped blocks, and none was read since. */
export function isGoneBack(cursor: ReadUpTo | undefined): boolean {
  return cursor?.blockHash === OF_NO_BLOCK
}

/** What is held while deposits are counted for a scope: what is to be found again is not to be missed meanwhile. */
export function countingLock(chainName: string, scope: WatchScope): string {
  return `count-deposits:${chainName}:${scope}`
}

/** Goes back before the blocks that the chain has dropped, in both scopes, where nobody counts what was in them. */
async function goBack(deps: ReadRangeDeps, { name }: EvmChain, cursor: ReadUpTo): Promise<'more' | 'behind'> {
  const block = cursor.block > REWIND_BLOCKS ? cursor.block - REWIND_BLOCKS : 0n
  deps.log.warn({ chain: name, from: block.toString() }, 'blocks were dropped; what came in them is looked for again')
  const locks = BOTH.map((scope) => countingLock(name, scope))
  const to = { block, blockHash: OF_NO_BLOCK } as const
  const gone = await withAdvisoryLock(deps.pool, locks, () => deps.addresses.rewind(name, BOTH, to))
  return gone ? 'more' : 'behind'
}

interface Reading {
  chain: EvmChain
  client: EvmClient
  watched: Watched
  from: bigint
  safe: bigint
  /** Where the cursors were. */
  cursor: ReadUpTo | undefined
  /** Whose cursors move. */
  scopes: readonly WatchScope[]
}

async function readFrom(deps: ReadRangeDeps, reading: Reading): Promise<'more' | 'behind'> {
  const { chain, client, watched, from, safe, scopes } = reading
  const asked = from + BLOCKS_MAX - 1n < safe ? from + BLOCKS_MAX - 1n : safe
  const range = { from, to: asked, confirmations: chain.confirmations }
  const found: NewDeposit[] = []
  let upTo: ReadUpTo | undefined
  let after: string | undefined = ''
  while (after !== undefined) {
    const page = await deps.addresses.watched(watched, after, ADDRESSES_MAX)
    // A filter of no address is one of every address.
    if (page.length === 0) break
    const filter = filterOf(chain, page)
    const read = await readDeposits(client, filter, range)
    if (!read) return 'behind'
    // The pages that follow have to be read no further than this one.
    upTo = read.upTo
    range.to = upTo.block
    found.push(...(await depositsIn(deps, reading, page, read.transfers)))
    // Once a minute is soon enough for what pays nothing.
    if (scopes.includes('all') && !(await tellOtherTokens(deps, reading, page, range))) return 'behind'
    after = page.length < ADDRESSES_MAX ? undefined : page.at(-1)?.address
  }
  // Whoever opens an address after nobody had one is told of it later than that block was made.
  upTo ??= await readSafeBlock(client, safe, chain.confirmations)
  return upTo ? record(deps, reading, upTo, found) : 'behind'
}

async function record(
  deps: ReadRangeDeps,
  { chain, safe, cursor, scopes }: Reading,
  upTo: ReadUpTo,
  found: readonly NewDeposit[],
): Promise<'more'> {
  const inRange = found.filter(({ blockNumber }) => blockNumber <= upTo.block)
  const isRecorded = await deps.addresses.record(chain.name, { scopes, from: cursor, upTo }, inRange)
  if (isRecorded && scopes.includes('all') && upTo.block >= safe) await deps.addresses.noteRead(chain.name)
  return 'more'
}

/** The tokens that a chain's own addresses wait for, alone: what is sent of them nobody can make up. */
function filterOf(chain: EvmChain, page: readonly PaymentAddress[]): { to: Address[]; tokens: Address[] } {
  const own = page.filter(({ chainName }) => chainName === chain.name)
  return { to: page.map(({ address }) => address), tokens: [...new Set(own.map(({ token }) => token))] }
}

/** The transfers that pay. Another token that some address waits for, or another chain, is no payment: an operator is told of it. */
async function depositsIn(
  deps: ReadRangeDeps,
  { chain, client }: Reading,
  page: readonly PaymentAddress[],
  transfers: readonly SeenTransfer[],
): Promise<NewDeposit[]> {
  const byAddress = new Map(page.map((address) => [address.address, address]))
  const isAwaited = ({ to, token, amount }: SeenTransfer): boolean => {
    const address = byAddress.get(to)
    return amount > 0n && token === address?.token && chain.name === address.chainName
  }
  const awaited = transfers.filter(isAwaited)
  await tellUnexpected(
    deps,
    chain,
    page,
    transfers.filter((transfer) => !isAwaited(transfer)),
  )
  const times = await readBlockTimes(
    client,
    awaited.map(({ blockNumber }) => blockNumber),
  )
  return awaited.flatMap(({ hash, logIndex, from: sender, to, amount, blockNumber, blockHash }) => {
    const address = byAddress.get(to)
    const minedAt = times.get(blockNumber)
    if (!address || !minedAt) return []
    const { tenantId, paymentId } = address
    return [{ hash, logIndex, tenantId, paymentId, sender, amount, blockNumber, blockHash, minedAt }]
  })
}

/**
 * Nodes may refuse what strangers' contracts have written: then nobody is told, and the payments go on. A node that fails is asked
 * again, as nobody else reads this; one that fails at this alone for long has refused it in its way.
 * @returns whether that is done; false where the node that answered does not have the blocks yet
 * @throws AppError `confirm_rpc_unavailable`
 */
async function tellOtherTokens(
  deps: ReadRangeDeps,
  { chain, client }: Reading,
  page: readonly PaymentAddress[],
  range: BlockRange,
): Promise<boolean> {
  const others = await readOtherDeposits(client, filterOf(chain, page), range).catch((error: unknown) =>
    passAfterLong(deps, chain, error),
  )
  if (others !== 'failed') await deps.addresses.noteRead(othersOf(chain.name))
  if (others === undefined || typeof others === 'object') {
    await tellUnexpected(deps, chain, page, others ?? [])
    return others !== undefined
  }
  const blocks = { from: range.from.toString(), to: range.to.toString() }
  deps.log.warn(
    { chain: chain.name, ...blocks },
    'it cannot be read whether other tokens came to addresses of payments',
  )
  return true
}

/** Under which it is kept since when nodes fail at other tokens of a chain alone. */
export function othersOf(chainName: string): string {
  return `${chainName}:other-tokens`
}

/** Passes a range over where nodes have failed at other tokens alone for long, be it in ranges before this one. */
async function passAfterLong({ addresses, clock }: ReadRangeDeps, chain: EvmChain, error: unknown): Promise<'failed'> {
  if (!(error instanceof AppError)) throw error
  const now = clock.now()
  const since = await addresses.noteUnread(othersOf(chain.name), now)
  if (now.getTime() - since.getTime() < OTHERS_MS) throw error
  return 'failed'
}

/** One word for each payment, however much came; no block is read for it again. */
async function tellUnexpected(
  { alerts, settings }: ReadRangeDeps,
  chain: EvmChain,
  page: readonly PaymentAddress[],
  transfers: readonly SeenTransfer[],
): Promise<void> {
  const byAddress = new Map(page.map((address) => [address.address, address]))
  const worth = transfers.filter(({ amount }) => amount > 0n)
  for (const [to, [first, ...others]] of Map.groupBy(worth, (transfer) => transfer.to)) {
    const address = byAddress.get(to)
    if (!address || !first) continue
    const { hash, amount, token } = first
    const more = others.length > 0 ? `, as did ${others.length} others` : ''
    const awaitedOn = settings.chains.find(({ name }) => name === address.chainName)
    const awaited = tokenName(awaitedOn?.family === 'evm' ? awaitedOn : undefined, address.token)
    const brought = `${hash} brought ${tokenAmount(chain, token, amount)} on ${chain.name}${more}`
    const details = `${brought}; the payment waits for ${awaited} on ${address.chainName}`
    await alerts.raiseBeside({ kind: 'deposit_unexpected', subject: address.paymentId, details })
  }
}
