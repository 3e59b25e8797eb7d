import { PublicKey } from '@solana/web3.js'
import type { Asset, SolanaChain } from '../chain.js'
import type { SolanaClient } from './client.js'
import { ask } from './rpc.js'
import { associatedTokenAddress } from './token.js'
import { mergeShares, type Share } from './transfer.js'
import { readAbsence, type SignedAttempt } from './absence.js'

/**
 * Where a transaction is. `unknown`: no node has shown it yet; `expired`: it is proven that it never landed and cannot any
 * more; `missing`: it cannot land any more and no node shows it, but that it never landed can no longer be proven (see
 * `readAbsence`); `confirming`: in a block that may still be dropped; `confirmed`: final by the chain's commitment; `failed`: in a block
 * that no fork can replace any more, as its payer signs another one then.
 */
export type Confirmation =
  | { state: 'confirming' | 'expired' | 'missing' | 'unknown' }
  | { state: 'confirmed'; slot: number }
  | { state: 'failed'; slot: number; error: unknown }

/**
 * Reads a transaction's status once.
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function readConfirmation(
  client: SolanaClient,
  chain: Pick<SolanaChain, 'commitment'>,
  attempt: SignedAttempt,
): Promise<Confirmation> {
  const status = await readStatus(client, attempt.signature)
  if (!status) return { state: ABSENT[await readAbsence(client, attempt)] }
  return confirmationOf(status, chain)
}

/** What a node says of a transaction that it knows. */
export interface SignatureStatus {
  slot: number
  err: unknown
  confirmationStatus?: string | null
}

/** Where a transaction is that a node knows. */
export function confirmationOf(
  { slot, err, confirmationStatus }: SignatureStatus,
  { commitment }: Pick<SolanaChain, 'commitment'>,
): Confirmation {
  // On another fork what has failed might land still.
  const isFinal = confirmationStatus === 'finalized' || (err === null && confirmationStatus === commitment)
  if (!isFinal) return { state: 'confirming' }
  return err === null ? { state: 'confirmed', slot } : { state: 'failed', slot, error: err }
}

const ABSENT = { open: 'unknown', proven: 'expired', likely: 'missing' } as const

/**
 * When the block was made that holds a transaction which succeeded, in whatever age; undefined where no node shows one.
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function readLandedAt(client: SolanaClient, signature: string): Promise<Date | undefined> {
  const status = await readStatus(client, signature)
  if (status?.err !== null || status.confirmationStatus === 'processed') return undefined
  const { blockTime } = ((await readTransaction(client, signature)) ?? {}) as { blockTime?: number | null }
  return typeof blockTime === 'number' ? new Date(blockTime * 1000) : undefined
}

/**
 * Whether the chain has a transaction, in whatever state.
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function isKnown(client: SolanaClient, signature: string): Promise<boolean> {
  return (await readStatus(client, signature)) !== null
}

/**
 * Whether the chain shows a transaction that names a reference and did not fail, final or not.
 * @param reference see `paymentKey`
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function hasTransactions(client: SolanaClient, reference: string): Promise<boolean> {
  const search = { commitment: 'confirmed', limit: SEEN_MAX }
  const found = await ask('confirm', () => client.call('getSignaturesForAddress', [reference, search]))
  return (found as readonly { err: unknown }[]).some(({ err }) => err === null)
}

/**
 * The transactions that name a reference and did not fail, the newest first; at most a hundred.
 * @param until where an earlier look ended; what is older is left out
 * @returns the signatures, and where the next look may end: the newest that can not be dropped any more
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function readNamed(
  client: SolanaClient,
  reference: string,
  until: string | undefined,
): Promise<{ signatures: string[]; until: string | undefined }> {
  const search = { commitment: 'confirmed', limit: SEEN_MAX, ...(until !== undefined && { until }) }
  const found = (await ask('confirm', () => client.call('getSignaturesForAddress', [reference, search]))) as readonly {
    signature: string
    err: unknown
    confirmationStatus?: string | null
  }[]
  const final = found.find(({ confirmationStatus }) => confirmationStatus === 'finalized')
  const signatures = found.filter(({ err }) => err === null).map(({ signature }) => signature)
  return { signatures, until: final?.signature ?? until }
}

/** More than anyone sends for one payment. */
const SEEN_MAX = 100

async function readStatus(client: SolanaClient, signature: string): Promise<SignatureStatus | null> {
  const { statuses } = await readStatuses(client, [signature])
  return statuses[0] ?? null
}

/** A node answers about so many signatures at once (rpc-client-api: MAX_GET_SIGNATURE_STATUSES_QUERY_ITEMS). */
export const STATUSES_MAX = 256

/**
 * What a node knows of some transactions, in their order, and the slot that it has reached.
 * @param signatures at most `STATUSES_MAX`
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function readStatuses(
  { call }: Pick<SolanaClient, 'call'>,
  signatures: readonly string[],
): Promise<{ slot: number; statuses: readonly (SignatureStatus | null)[] }> {
  // Without the history a node knows the newest blocks only, and would call an older payment unknown.
  const { context, value } = (await ask('confirm', () =>
    call('getSignatureStatuses', [signatures, { searchTransactionHistory: true }]),
  )) as { context: { slot: number }; value: readonly (SignatureStatus | null)[] }
  return { slot: context.slot, statuses: value }
}

/** The part of `getTransaction`'s answer that shows what moved. */
export interface Effects {
  /** The height of its block. */
  slot: number
  transaction: { message: { accountKeys: string[] } }
  meta: {
    err: unknown
    fee: number
    preBalances: number[]
    postBalances: number[]
    preTokenBalances?: TokenBalance[] | null
    postTokenBalances?: TokenBalance[] | null
    loadedAddresses?: { writable: string[]; readonly: string[] } | null
  }
}

interface TokenBalance {
  accountIndex: number
  mint: string
  uiTokenAmount: { amount: string }
}

/** What a transaction must have done. */
export interface ExpectedTransfer {
  /** Base58. */
  from: string
  asset: Asset
  shares: readonly Share[]
  /** The key by which it is known, see `paymentKey`. */
  reference: string
}

/**
 * Whether a transaction moved exactly the shares: by the balances before and after it, as the chain has them.
 * @param effects see `readEffects`
 */
export function isTransferIn(effects: Effects, expected: ExpectedTransfer): boolean {
  if (effects.meta.err !== null) return false
  const keys = keysOf(effects)
  if (!keys.includes(expected.reference)) return false
  const moved = changesOf(effects, keys, expected.asset)
  return mergeShares(expected.shares).every(({ wallet, amount }) => {
    // Who pays himself keeps what he pays.
    if (wallet === expected.from) return true
    return moved.get(holderOf(expected.asset, wallet)) === amount
  })
}

/**
 * Whether a confirmed transaction moved exactly the shares, see `isTransferIn`.
 * @returns undefined where the node does not show the transaction yet
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function verifyTransfer(
  client: SolanaClient,
  signature: string,
  expected: ExpectedTransfer,
): Promise<boolean | undefined> {
  const effects = await readEffects(client, signature)
  return effects && isTransferIn(effects, expected)
}

/**
 * What a transaction did; undefined where the node does not show it at that commitment.
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function readEffects(
  client: SolanaClient,
  signature: string,
  commitment: SolanaChain['commitment'] = 'confirmed',
): Promise<Effects | undefined> {
  const shown = (await readTransaction(client, signature, commitment)) as { meta?: object | null } | null
  return shown?.meta ? (shown as Effects) : undefined
}

async function readTransaction(
  client: SolanaClient,
  signature: string,
  commitment: SolanaChain['commitment'] = 'confirmed',
): Promise<unknown> {
  // Version 1 transactions are live on mainnet since September 2026, and a node refuses to show one to who does not ask.
  const config = { encoding: 'json', commitment, maxSupportedTransactionVersion: 1 }
  return ask('confirm', () => client.call('getTransaction', [signature, config]))
}

function keysOf({ transaction, meta }: Effects): string[] {
  const { writable = [], readonly = [] } = meta.loadedAddresses ?? {}
  return [...transaction.message.accountKeys, ...writable, ...readonly]
}

function changesOf(effects: Effects, keys: readonly string[], asset: Asset): Map<string, bigint> {
  return asset.kind === 'native' ? lamportChanges(effects, keys) : tokenChanges(effects, keys, asset.address)
}

/**
 * What a confirmed transaction moved to a wallet, in base units, by the balances before and after it; below zero where it
 * took something. A failed one moved nothing.
 * @returns undefined while it is not final, or the node does not show it yet
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function readReceived(
  client: SolanaClient,
  { commitment }: Pick<SolanaChain, 'commitment'>,
  signature: string,
  { wallet, asset }: { wallet: string; asset: Asset },
): Promise<bigint | undefined> {
  const status = await readStatus(client, signature)
  if (status?.confirmationStatus !== 'finalized' && status?.confirmationStatus !== commitment) return undefined
  const effects = await readEffects(client, signature)
  if (!effects) return undefined
  if (effects.meta.err !== null) return 0n
  return changesOf(effects, keysOf(effects), asset).get(holderOf(asset, wallet)) ?? 0n
}

function holderOf(asset: Asset, wallet: string): string {
  if (asset.kind === 'native') return wallet
  return associatedTokenAddress(new PublicKey(wallet), new PublicKey(asset.address)).toBase58()
}

function lamportChanges({ meta }: Effects, keys: readonly string[]): Map<string, bigint> {
  return new Map(
    keys.map((key, index) => [key, BigInt(meta.postBalances[index] ?? 0) - BigInt(meta.preBalances[index] ?? 0)]),
  )
}

function tokenChanges({ meta }: Effects, keys: readonly string[], mint: string): Map<string, bigint> {
  const changes = new Map<string, bigint>()
  const add = (balances: readonly TokenBalance[] | null | undefined, sign: bigint): void => {
    for (const { accountIndex, mint: held, uiTokenAmount } of balances ?? []) {
      const key = keys[accountIndex]
      if (key === undefined || held !== mint) continue
      changes.set(key, (changes.get(key) ?? 0n) + sign * BigInt(uiTokenAmount.amount))
    }
  }
  add(meta.preTokenBalances, -1n)
  add(meta.postTokenBalances, 1n)
  return changes
}
