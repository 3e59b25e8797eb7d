import { findToken } from '../../../chains/chain.js'
import { failingInstruction } from '../../../chains/solana/compute-budget.js'
import { isSlotShown, type DurableNonce } from '../../../chains/solana/durable-nonces.js'
import type { SolanaSigner } from '../../../chains/solana/signer.js'
import { preparePayout, readSourcePrice, signPayout } from '../../../chains/solana/transfer-from.js'
import { AppError } from '../../../kernel/errors.js'
import { toBaseUnits } from '../../../kernel/money.js'
import type { Payout } from '../store/payout.entity.js'
import type { Preparation, PreparedBatch, WantedPayouts } from './payout-chain.js'
import { assetOf, NATIVE, readBalances, type ChainContext } from './solana-balances.js'
import { batchesOf, signEach, type Batch, type Unsigned } from './solana-batches.js'
import { isPreparing, readFreeNonces, signCreations, signRenewals, type Nonces } from './solana-nonces.js'
import { closePast, type SolanaPast } from './solana-past.js'
import { readReceivers } from './solana-receivers.js'
import { transferOf } from './solana-transfer.js'

/** The treasury on one Solana chain. */
export interface SolanaTreasury extends ChainContext {
  signer: SolanaSigner
  past: SolanaPast
}

const NOTHING: Preparation = { prepared: [], insufficientFunds: [], failing: [] }

/** What one payout may cost: the rent of a receiver's new token account, and fees. In lamports. */
const COST_LAMPORTS = 3_000_000n

/**
 * Signs transactions for payouts, each for a nonce that no other has. Where there are too few it signs what creates some; in a
 * process that is new, first what uses up those that were there, and then nothing until it is read what was sent before.
 * @throws AppError `confirm_rpc_unavailable`, `provider_unavailable`, `provider_timeout`
 */
export async function prepareSolana(treasury: SolanaTreasury, wanted: WantedPayouts): Promise<Preparation> {
  const { signer, past } = treasury
  const { payouts, open, newId } = wanted
  const nonces = await readFreeNonces(treasury, signer.address, past.firstSeen, wanted)
  if (nonces.old.length > 0 || !past.isRead) return renewFirst(treasury, wanted, nonces)
  // Asked four times a second while all are under way: nothing can be signed, so nothing else is read.
  const mayCreate = nonces.missing.length > 0 && !isPreparing(open)
  if (nonces.free.length === 0 && !mayCreate) return NOTHING
  const [balances, receivers] = await Promise.all([
    readBalances(treasury, signer.address, new Set(payouts.map(({ symbol }) => symbol)), wanted.newestBlock),
    readReceivers(treasury, payouts),
  ])
  reserve(treasury, balances, open)
  const covered: Payout[] = []
  const insufficientFunds: Payout[] = []
  const failing: { payout: Payout; reason: string }[] = []
  for (const payout of payouts) {
    const reason = receivers.refusalOf(payout)
    if (reason !== undefined) failing.push({ payout, reason })
    else if (take(treasury, balances, payout)) covered.push(payout)
    else insufficientFunds.push(payout)
  }
  const batches = batchesOf(covered, receivers.missing)
  const created = await createMissing(treasury, wanted, nonces, batches.length, balances.get(NATIVE) ?? 0n)
  const free = batches.length > 0 ? nonces.free.slice(0, wanted.room) : []
  if (free.length > 0) await assertShown(treasury, nonces)
  const prices = await readPrices(treasury, free.length > 0 ? batches : [])
  const signed = await signEach(batches, free, (batch, nonce) =>
    sign(treasury, batch, nonce, { batchId: newId(), prices }),
  )
  if (created === 'unaffordable') return { prepared: [], insufficientFunds: [...payouts], failing: [] }
  return {
    prepared: [...created, ...signed.prepared],
    insufficientFunds,
    failing: [...failing, ...signed.failing],
  }
}

/** Nothing is kept of a slot that one node alone has shown nonces of. @throws AppError `confirm_rpc_unavailable` */
async function assertShown({ client, chain }: ChainContext, { slot }: Nonces): Promise<void> {
  if (await isSlotShown(client, slot)) return
  const details = `a node of ${chain.name} names slot ${slot}, far ahead of the others`
  throw new AppError('confirm_rpc_unavailable', { details })
}

/** Signs what uses up the nonces by which something may live that nobody knows; once nothing can, that is noted. */
async function renewFirst(treasury: SolanaTreasury, wanted: WantedPayouts, nonces: Nonces): Promise<Preparation> {
  const { signer, past } = treasury
  // What is under way may use them up, or has to be known to have done so.
  if (isPreparing(wanted.open)) return NOTHING
  await assertShown(treasury, nonces)
  const old = nonces.old.length > 0 ? nonces.old : await closePast(past, nonces, wanted.landed)
  if (old.length === 0) return NOTHING
  const prepared = await signRenewals(treasury, signer, old, wanted.newId)
  past.renewals.push(...prepared)
  return { ...NOTHING, prepared }
}

/** Signs what creates as many nonces as batches have none. `unaffordable`: there is none at all, and no money for one. */
async function createMissing(
  treasury: SolanaTreasury,
  { open, newId }: WantedPayouts,
  { free, missing }: Nonces,
  batches: number,
  lamports: bigint,
): Promise<PreparedBatch[] | 'unaffordable'> {
  const wanted = Math.min(batches - free.length, missing.length)
  if (wanted <= 0 || isPreparing(open)) return []
  const created = await signCreations(treasury, treasury.signer, { missing, wanted, lamports, newId })
  const isStuck = created.length === 0 && free.length === 0 && open.length === 0
  return isStuck ? 'unaffordable' : created
}

/** What a compute unit costs now, by token: read once for all that is signed together. */
async function readPrices(
  { client, chain, signer }: SolanaTreasury,
  batches: readonly Batch[],
): Promise<ReadonlyMap<string, number>> {
  const symbols = new Set(batches.flatMap(({ payouts: [first] }) => (first ? [first.symbol] : [])))
  const prices = [...symbols].map(async (symbol) => {
    const asset = assetOf(chain, symbol)
    return [symbol, await readSourcePrice(client, { from: signer.address, asset })] as const
  })
  return new Map(await Promise.all(prices))
}

/** Takes off what batches that have not landed yet will take; of one with several versions once. */
function reserve({ chain }: ChainContext, balances: Map<string, bigint>, open: WantedPayouts['open']): void {
  const takeOff = (key: string, units: bigint): void => {
    const left = (balances.get(key) ?? 0n) - units
    balances.set(key, left > 0n ? left : 0n)
  }
  for (const { pays, transaction } of open) {
    if (!pays || transaction.version > 0) continue
    // What is not on the chain's list any more is paid to nobody, and need not be there for others.
    const asset = findToken(chain, pays.symbol)
    if (asset) takeOff(asset.kind === 'native' ? NATIVE : pays.symbol, toBaseUnits(pays.amount, asset.decimals))
    takeOff(NATIVE, COST_LAMPORTS * BigInt(pays.count))
  }
}

/** Takes what a payout needs off the balances. Returns whether they were enough. */
function take({ chain }: ChainContext, balances: Map<string, bigint>, { symbol, amount }: Payout): boolean {
  const asset = assetOf(chain, symbol)
  const key = asset.kind === 'native' ? NATIVE : symbol
  const units = toBaseUnits(amount, asset.decimals)
  const native = (balances.get(NATIVE) ?? 0n) - COST_LAMPORTS - (key === NATIVE ? units : 0n)
  const left = key === NATIVE ? native : (balances.get(key) ?? 0n) - units
  if (native < 0n || left < 0n) return false
  balances.set(NATIVE, native)
  if (key !== NATIVE) balances.set(key, left)
  return true
}

/** The place of the instruction that uses the nonce up. */
const ADVANCE_PLACE = 0

/** The signed transaction of some payouts, or the chain's reason why it would fail. */
async function sign(
  { client, chain, signer }: SolanaTreasury,
  { payouts, haveAccounts }: Batch,
  nonce: DurableNonce,
  { batchId, prices }: { batchId: string; prices: ReadonlyMap<string, number> },
): Promise<PreparedBatch | Unsigned> {
  const transfer = transferOf(chain, signer.address, { batchId, payouts, haveAccounts })
  if (!transfer) throw new Error('a batch without payouts')
  try {
    const price = prices.get(payouts[0]?.symbol ?? '')
    const { signature: hash, raw } = await signPayout(
      signer,
      await preparePayout(client, chain, transfer, nonce, price),
    )
    return { payouts, batchId, hash, raw, nonce: null, durableNonce: nonce, validUntil: null }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'broadcast_simulation_failed') throw error
    return { reason: error.details ?? 'it fails', isNonceUnready: failingInstruction(error) === ADVANCE_PLACE }
  }
}
