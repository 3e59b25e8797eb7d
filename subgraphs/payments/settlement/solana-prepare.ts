import { minPayout } from '../../../chains/min-payout.js'
import { failingInstruction } from '../../../chains/solana/compute-budget.js'
import type { DurableNonce } from '../../../chains/solana/durable-nonces.js'
import type { SolanaSigner } from '../../../chains/solana/signer.js'
import { walletsWithoutAccount } from '../../../chains/solana/token-accounts.js'
import { preparePayout, readSourcePrice, signPayout } from '../../../chains/solana/transfer-from.js'
import { AppError } from '../../../kernel/errors.js'
import { toBaseUnits } from '../../../kernel/money.js'
import type { Payout } from '../store/payout.entity.js'
import type { Preparation, PreparedBatch, WantedPayouts } from './payout-chain.js'
import { assetOf, NATIVE, readBalances, type ChainContext } from './solana-balances.js'
import {
  isPreparing,
  readFreeNonces,
  signCreations,
  signRenewals,
  type FirstSeen,
  type Nonces,
} from './solana-nonces.js'
import { transferOf } from './solana-transfer.js'

/** The treasury on one Solana chain. */
export interface SolanaTreasury extends ChainContext {
  signer: SolanaSigner
  firstSeen: FirstSeen
}

/** Batches that are simulated and signed at once. */
const SIGNED_AT_ONCE = 8

/** What one payout may cost: the rent of a receiver's new token account, and fees. In lamports. */
const COST_LAMPORTS = 3_000_000n

/**
 * So many receivers fit into one transaction, each with the instruction that creates its account where that is missing, beside
 * a memo and a nonce.
 */
export const BATCH_LEGS_MAX = 7

/**
 * Signs transactions for payouts, each for a nonce that no other has. Where there are too few it signs what creates some; in a
 * process that is new, first what uses up those that were there.
 * @throws AppError `confirm_rpc_unavailable`, `provider_unavailable`, `provider_timeout`
 */
export async function prepareSolana(treasury: SolanaTreasury, wanted: WantedPayouts): Promise<Preparation> {
  const { signer, firstSeen } = treasury
  const { payouts, open, newId } = wanted
  const nonces = await readFreeNonces(treasury, signer.address, firstSeen, wanted)
  if (nonces.old.length > 0) {
    const prepared = isPreparing(open) ? [] : await signRenewals(treasury, signer, nonces.old, newId)
    return { prepared, insufficientFunds: [], failing: [] }
  }
  // Asked four times a second while all are under way: nothing can be signed, so nothing else is read.
  const mayCreate = nonces.missing.length > 0 && !isPreparing(open)
  if (nonces.free.length === 0 && !mayCreate) return { prepared: [], insufficientFunds: [], failing: [] }
  const [balances, unopened] = await Promise.all([
    readBalances(treasury, signer.address, new Set(payouts.map(({ symbol }) => symbol))),
    readUnopened(treasury, payouts),
  ])
  reserve(treasury, balances, open)
  const covered: Payout[] = []
  const insufficientFunds: Payout[] = []
  const failing: Failing[] = []
  for (const payout of payouts) {
    // Checked before the charge too; but an account may be closed since then, and its rent is its owner's.
    if (unopened.has(payout)) {
      failing.push({ payout, reason: `${payout.receiver} has no token account for ${payout.symbol}` })
    } else if (take(treasury, balances, payout)) covered.push(payout)
    else insufficientFunds.push(payout)
  }
  const batches = batchesOf(covered)
  const created = await createMissing(treasury, wanted, nonces, batches.length, balances.get(NATIVE) ?? 0n)
  const signed = await signEach(treasury, batches, nonces.free.slice(0, wanted.room), newId)
  if (created === 'unaffordable') return { prepared: [], insufficientFunds: [...payouts], failing: [] }
  return {
    prepared: [...created, ...signed.prepared],
    insufficientFunds,
    failing: [...failing, ...signed.failing],
  }
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

/** Payouts of one token, as many as fit into a transaction. */
function batchesOf(payouts: readonly Payout[]): Payout[][] {
  return [...Map.groupBy(payouts, ({ symbol }) => symbol).values()].flatMap((ofToken) =>
    Array.from({ length: Math.ceil(ofToken.length / BATCH_LEGS_MAX) }, (_, index) =>
      ofToken.slice(index * BATCH_LEGS_MAX, (index + 1) * BATCH_LEGS_MAX),
    ),
  )
}

interface Failing {
  payout: Payout
  reason: string
}

/**
 * Signs as many batches as there are nonces that are ready. One that would fail is tried payout by payout, as one that fails would
 * fail them all; those that no nonce is left for wait.
 */
async function signEach(
  treasury: SolanaTreasury,
  batches: readonly (readonly Payout[])[],
  free: readonly DurableNonce[],
  newId: WantedPayouts['newId'],
): Promise<{ prepared: PreparedBatch[]; failing: Failing[] }> {
  const left = [...free]
  const prepared: PreparedBatch[] = []
  const failing: Failing[] = []
  const waiting = batches.slice(0, free.length)
  const prices = await readPrices(treasury, waiting)
  const signNext = async (): Promise<void> => {
    for (let nonce = left.shift(); nonce; nonce = left.shift()) {
      const batch = waiting.shift()
      if (!batch) return
      const signed = await sign(treasury, batch, nonce, { batchId: newId(), prices })
      const [only] = batch
      if ('hash' in signed) prepared.push(signed)
      else if (signed.isNonceUnready) waiting.unshift(batch)
      else {
        left.unshift(nonce)
        if (only && batch.length === 1) failing.push({ payout: only, reason: signed.reason })
        else waiting.unshift(...batch.map((payout) => [payout]))
      }
    }
  }
  await Promise.all(Array.from({ length: SIGNED_AT_ONCE }, signNext))
  return { prepared, failing }
}

/** What a compute unit costs now, by token: read once for all that is signed together. */
async function readPrices(
  { client, chain, signer }: SolanaTreasury,
  batches: readonly (readonly Payout[])[],
): Promise<ReadonlyMap<string, number>> {
  const symbols = new Set(batches.flatMap(([first]) => (first ? [first.symbol] : [])))
  const prices = [...symbols].map(async (symbol) => {
    const asset = assetOf(chain, symbol)
    return [symbol, await readSourcePrice(client, { from: signer.address, asset })] as const
  })
  return new Map(await Promise.all(prices))
}

/** The payouts that are too small for the treasury to open an account for their receivers. */
async function readUnopened({ client, chain }: ChainContext, payouts: readonly Payout[]): Promise<Set<Payout>> {
  const unopened = new Set<Payout>()
  for (const [symbol, ofSymbol] of Map.groupBy(payouts, (payout) => payout.symbol)) {
    const asset = assetOf(chain, symbol)
    const least = toBaseUnits(minPayout(chain, symbol).toNewAccount, asset.decimals)
    const small = ofSymbol.filter(({ amount }) => toBaseUnits(amount, asset.decimals) < least)
    if (asset.kind === 'native' || small.length === 0) continue
    const wallets = small.map(({ receiver }) => receiver)
    const missing = await walletsWithoutAccount(client, asset.address, wallets)
    for (const payout of small) if (missing.has(payout.receiver)) unopened.add(payout)
  }
  return unopened
}

/** Takes off what batches that have not landed yet will take; of one with several versions once. */
function reserve({ chain }: ChainContext, balances: Map<string, bigint>, open: WantedPayouts['open']): void {
  const takeOff = (key: string, units: bigint): void => {
    const left = (balances.get(key) ?? 0n) - units
    balances.set(key, left > 0n ? left : 0n)
  }
  for (const { pays, transaction } of open) {
    if (!pays || transaction.version > 0) continue
    const asset = assetOf(chain, pays.symbol)
    takeOff(asset.kind === 'native' ? NATIVE : pays.symbol, toBaseUnits(pays.amount, asset.decimals))
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

/** Why a transaction was not signed. A nonce is not ready in the block that gave it its value. */
interface Unsigned {
  reason: string
  isNonceUnready: boolean
}

/** The place of the instruction that uses the nonce up. */
const ADVANCE_PLACE = 0

/** The signed transaction of some payouts, or the chain's reason why it would fail. */
async function sign(
  { client, chain, signer }: SolanaTreasury,
  payouts: readonly Payout[],
  nonce: DurableNonce,
  { batchId, prices }: { batchId: string; prices: ReadonlyMap<string, number> },
): Promise<PreparedBatch | Unsigned> {
  const transfer = transferOf(chain, signer.address, { batchId, payouts })
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
