import type { Chain, SolanaChain } from '../../../chains/chain.js'
import { minPayout } from '../../../chains/min-payout.js'
import type { SolanaClient } from '../../../chains/solana/client.js'
import { readConfirmation, verifyTransfer } from '../../../chains/solana/confirm.js'
import { findSentSolana } from '../../../chains/solana/find-sent.js'
import { sendWire } from '../../../chains/solana/broadcast.js'
import { ask } from '../../../chains/solana/rpc.js'
import type { SolanaSigner } from '../../../chains/solana/signer.js'
import { walletsWithoutAccount } from '../../../chains/solana/token-accounts.js'
import { paymentKey, paymentMemo, type Transfer } from '../../../chains/solana/transfer.js'
import { preparePayout, signPayout } from '../../../chains/solana/transfer-from.js'
import { AppError } from '../../../kernel/errors.js'
import { fromBaseUnits, toBaseUnits } from '../../../kernel/money.js'
import type { Payout } from '../store/payout.entity.js'
import type { SignedBatch } from '../store/batches.js'
import { readForeignSolana } from './solana-foreign.js'
import { solanaAudit } from './solana-audit.js'
import { assetOf, NATIVE, readBalances, readHoldings, type ChainContext } from './solana-balances.js'
import type {
  ChainFee,
  LegResult,
  PayoutChain,
  Preparation,
  PreparedBatch,
  TransactionStatus,
  WantedPayouts,
} from './payout-chain.js'

/** What the treasury on Solana is made of. */
export interface SolanaPayoutsOptions {
  signer: SolanaSigner
  solanaClient: (chain: SolanaChain) => SolanaClient
}

/** What one payout may cost: the rent of a receiver's new token account, and fees. In lamports. */
const COST_LAMPORTS = 3_000_000n

/**
 * So many receivers fit into one transaction, each with the instruction that creates its account where that is missing: nine
 * without a memo.
 */
const BATCH_LEGS_MAX = 7
/** Transactions that may wait to be seen by the chain at once. */
const UNSEEN_MAX = 48

/**
 * The treasury on Solana: payouts of one token that wait together go as one transaction. A signature lapses with its blockhash after a minute or so; until
 * then the same bytes are sent again. After it the payouts are signed anew, but only on proof that the first never landed;
 * where that can no longer be had it is held, see `readAbsence`.
 */
export function solanaPayouts({ signer, solanaClient }: SolanaPayoutsOptions): PayoutChain {
  const on = (chain: Chain): { client: SolanaClient; chain: SolanaChain } => {
    if (chain.family !== 'solana') throw new Error(`${chain.name} is no Solana chain`)
    return { client: solanaClient(chain), chain }
  }
  return {
    account: signer.address,
    batchMax: BATCH_LEGS_MAX,
    unminedMax: UNSEEN_MAX,
    // What expires does so without a block of ours, and slots pass faster than anybody would ask for them.
    readHead: undefined,
    prepare: (chain, wanted) => prepare(on(chain), signer, wanted),
    send: async (chain, raw) => {
      const outcome = await sendWire(on(chain).client, raw)
      // Of a blockhash that one node does not know any more the chain itself has the last word, when it is asked.
      if (outcome.kind === 'expired' || 'reason' in outcome) return { kind: 'unknown' }
      return 'details' in outcome ? { kind: 'refused', reason: outcome.details, isLasting: false } : { kind: 'sent' }
    },
    retrieve: async (chain, open) => {
      const statuses = await Promise.all(open.map((signed) => retrieve(on(chain), signer.address, signed)))
      return statuses.filter((status) => status !== undefined)
    },
    readHoldings: (chain) => readHoldings(on(chain), signer.address),
    nonces: undefined,
    finality: undefined,
    readForeign: (chain, known) => readForeignSolana(on(chain), signer.address, known),
    readRaw: (chain, hash) => findSentSolana(on(chain).client, hash),
    audit: solanaAudit(signer.address, on),
  }
}

async function prepare(
  context: ChainContext,
  signer: SolanaSigner,
  { payouts, open, room, newId }: WantedPayouts,
): Promise<Preparation> {
  const [balances, unopened] = await Promise.all([
    readBalances(context, signer.address, new Set(payouts.map(({ symbol }) => symbol))),
    readUnopened(context, payouts),
  ])
  for (const { legs } of open) for (const { payout } of legs) take(context, balances, payout)
  const covered: Payout[] = []
  const insufficientFunds: Payout[] = []
  const failing: Failing[] = []
  for (const payout of payouts) {
    // Checked before the charge too; but an account may be closed since then, and its rent is its owner's.
    if (unopened.has(payout)) {
      failing.push({ payout, reason: `${payout.receiver} has no token account for ${payout.symbol}` })
    } else if (take(context, balances, payout)) covered.push(payout)
    else insufficientFunds.push(payout)
  }
  const prepared: PreparedBatch[] = []
  for (const batch of batchesOf(covered).slice(0, room)) {
    const signed = await signAll(context, signer, batch, newId)
    prepared.push(...signed.prepared)
    failing.push(...signed.failing)
  }
  return { prepared, insufficientFunds, failing }
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

/** Signs payouts together; where that would fail each alone, as one that fails would fail them all. */
async function signAll(
  context: ChainContext,
  signer: SolanaSigner,
  payouts: readonly Payout[],
  newId: WantedPayouts['newId'],
): Promise<{ prepared: PreparedBatch[]; failing: Failing[] }> {
  const signed = await sign(context, signer, payouts, newId())
  if (typeof signed !== 'string') return { prepared: [signed], failing: [] }
  const [only] = payouts
  if (only && payouts.length === 1) return { prepared: [], failing: [{ payout: only, reason: signed }] }
  const alone = await Promise.all(payouts.map((payout) => signAll(context, signer, [payout], newId)))
  return { prepared: alone.flatMap((one) => one.prepared), failing: alone.flatMap((one) => one.failing) }
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

/** The signed transaction of some payouts, or the chain's reason why it would fail. */
async function sign(
  { client, chain }: ChainContext,
  signer: SolanaSigner,
  payouts: readonly Payout[],
  batchId: string,
): Promise<PreparedBatch | string> {
  try {
    const terms = await preparePayout(client, chain, transferOf(chain, signer.address, { batchId, payouts }))
    const { signature, raw } = await signPayout(signer, terms)
    return { payouts, batchId, hash: signature, raw, nonce: null, validUntil: terms.lastValidBlockHeight }
  } catch (error) {
    if (error instanceof AppError && error.code === 'broadcast_simulation_failed') return error.details ?? 'it fails'
    throw error
  }
}

/**
 * A batch of several is known by its own id, one payout by its payment's. The memo tells attempts apart: two transactions of
 * the same bytes would be one.
 */
function transferOf(
  chain: SolanaChain,
  from: string,
  { batchId, payouts }: { batchId: string; payouts: readonly Payout[] },
): Transfer {
  const [first] = payouts
  if (!first) throw new Error('a batch without payouts')
  const asset = assetOf(chain, first.symbol)
  const shares = payouts.map(({ receiver, amount }) => ({
    wallet: receiver,
    amount: toBaseUnits(amount, asset.decimals),
  }))
  const { paymentId, splitIndex, attempt } = first
  const memo = payouts.length > 1 ? `batch:${batchId}` : `${paymentMemo(paymentId)}#${splitIndex}.${attempt + 1}`
  return { from, asset, shares, memo, reference: paymentKey(payouts.length > 1 ? batchId : paymentId) }
}

async function retrieve(
  { client, chain }: ChainContext,
  from: string,
  signed: SignedBatch,
): Promise<TransactionStatus | undefined> {
  const { legs, transaction } = signed
  const payouts = legs.map(({ leg, payout }) => ({ ...payout, amount: leg.amount }))
  const { asset, shares, reference } = transferOf(chain, from, { batchId: transaction.batchId, payouts })
  const confirmation = await readConfirmation(client, chain, {
    signature: transaction.hash,
    lastValidBlockHeight: transaction.validUntil ?? 0,
    reference,
  })
  if (confirmation.state === 'unknown') return { signed, state: 'unknown' }
  if (confirmation.state === 'expired') return { signed, state: 'void' }
  if (confirmation.state === 'missing') return { signed, state: 'missing' }
  if (confirmation.state === 'confirming' || !('slot' in confirmation)) return undefined
  const isNative = asset.kind === 'native' && confirmation.state !== 'failed'
  const paidOut = isNative ? shares.reduce((sum, { amount }) => sum + amount, 0n) : 0n
  const fee = await readFee(client, chain, transaction.hash, paidOut)
  if (!fee) return undefined
  if (confirmation.state === 'failed') return { signed, state: 'failed', fee }
  const paid = await verifyTransfer(client, transaction.hash, { from, asset, shares, reference })
  if (paid === undefined) return undefined
  // A transaction on Solana does all or nothing.
  const block = { number: confirmation.slot, hash: null }
  const result: LegResult = paid
    ? { outcome: 'paid' }
    : { outcome: 'unproven', reason: `${transaction.hash} landed and does not show its transfers` }
  return { signed, state: 'confirmed', fee, block, results: legs.map(() => result) }
}

/**
 * What a transaction cost the treasury beside what it paid: fees, and the rent of the accounts that it opened; undefined where
 * the node does not show it yet.
 * @param paidOut what it has sent in the native coin, in lamports
 */
async function readFee(
  client: SolanaClient,
  chain: SolanaChain,
  signature: string,
  paidOut: bigint,
): Promise<ChainFee | undefined> {
  const config = { encoding: 'json', commitment: 'confirmed', maxSupportedTransactionVersion: 1 }
  const answer = await ask('confirm', () => client.call('getTransaction', [signature, config]))
  const meta = (answer as { meta?: { fee?: unknown; preBalances?: unknown; postBalances?: unknown } | null } | null)
    ?.meta
  if (typeof meta?.fee !== 'number') return undefined
  // The first account is that of the signer who pays the fee: the treasury.
  const [before, after] = [lamportsIn(meta.preBalances), lamportsIn(meta.postBalances)]
  const fee = BigInt(meta.fee)
  const gone = before === undefined || after === undefined ? fee : before - after - paidOut
  const { symbol: currency, decimals } = chain.nativeCoin
  return { amount: fromBaseUnits(gone > fee ? gone : fee, decimals), currency, decimals }
}

function lamportsIn(balances: unknown): bigint | undefined {
  const first: unknown = Array.isArray(balances) ? balances[0] : undefined
  return typeof first === 'number' ? BigInt(first) : undefined
}
