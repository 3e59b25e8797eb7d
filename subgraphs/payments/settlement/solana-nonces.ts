import { readLatestBlockhash } from '../../../chains/solana/blockhash.js'
import {
  ADVANCED_AT_ONCE,
  advanceNonce,
  CREATED_AT_ONCE,
  createNonces,
  nonceAddresses,
  readNonceRent,
  readNonces,
  type DurableNonce,
} from '../../../chains/solana/durable-nonces.js'
import { usedUpNonces } from '../../../chains/solana/replace.js'
import type { SolanaSigner } from '../../../chains/solana/signer.js'
import { signInstructions } from '../../../chains/solana/transfer-from.js'
import type { AccountNonce, OpenBatch } from '../store/batches.js'
import type { PreparedBatch, WantedPayouts } from './payout-chain.js'
import type { ChainContext } from './solana-balances.js'

/** Fees and what may be rounded, of a transaction that creates nonces; in lamports. */
const CREATE_FEE_LAMPORTS = 10_000n

/**
 * What each nonce held when this process first looked at it, by its account. A database that was restored from a backup does not
 * know what was signed after it: that may still land, for as long as its nonce is the same.
 */
export type FirstSeen = Map<string, string>

/** The nonces that transactions may be signed for now, and what is to be signed so that there are more. */
export interface Nonces {
  free: readonly DurableNonce[]
  /** All have to be new since this process looked at them first; those that are not yet. */
  old: readonly string[]
  /** Places of nonces that are not there yet. */
  missing: readonly number[]
  /** Those that are there and by which nothing lives that is written down: what nobody knows may. */
  unclaimed: readonly AccountNonce[]
  /** The node's, at which all that was so. */
  slot: number
}

/**
 * Reads which nonces of the treasury no transaction has.
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function readFreeNonces(
  { client }: ChainContext,
  account: string,
  firstSeen: FirstSeen,
  { open, newestBlock, usedNonces }: Pick<WantedPayouts, 'open' | 'newestBlock' | 'usedNonces'>,
): Promise<Nonces> {
  const addresses = nonceAddresses(account)
  // A node that is behind would show none where one was created just now.
  const newest = open.reduce((slot, { transaction }) => Math.max(slot, Number(transaction.nonceSlot ?? 0)), newestBlock)
  const { slot, values } = await readNonces(client, addresses, newest)
  const taken = new Map(open.map(({ transaction }) => [transaction.nonceAccount, transaction.nonceValue]))
  const there = addresses.flatMap((address, place) => {
    const value = values[place]
    return value === undefined ? [] : [{ account: address, value }]
  })
  // What another process renews, since it looked at them first, is used up before anything that is signed for it now.
  const renewed = new Set(open.filter(isPreparation).flatMap(({ transaction: { raw } }) => usedUpNonces(raw)))
  const used = await usedNonces(there)
  const free: DurableNonce[] = []
  const old: string[] = []
  const missing: number[] = []
  for (const [place, address] of addresses.entries()) {
    const value = values[place]
    if (value === undefined) {
      missing.push(place)
      continue
    }
    // What is signed for a nonce that we know of is known: the next one of its account is new.
    const isKnown = !taken.has(address) || taken.get(address) === value
    if (isKnown && !firstSeen.has(address)) firstSeen.set(address, value)
    if (taken.has(address) || renewed.has(address)) continue
    if (firstSeen.get(address) === value) old.push(address)
    // The node that shows one that is used up is behind.
    else if (!used.has(address)) free.push({ account: address, value, slot })
  }
  // What is created while this process looks on has had no other value.
  for (const place of missing) {
    const address = addresses[place] ?? ''
    if (!firstSeen.has(address)) firstSeen.set(address, '')
  }
  const unclaimed = there.filter(({ account, value }) => taken.get(account) !== value)
  return { free, old, missing, unclaimed, slot }
}

/** Whether a transaction that pays nobody is under way, and has to come to its end first. */
export function isPreparing(open: readonly OpenBatch[]): boolean {
  return open.some(isPreparation)
}

function isPreparation({ pays, transaction }: OpenBatch): boolean {
  return pays === null && transaction.nonceAccount === null
}

/**
 * Signs transactions that use up what nonces hold.
 * @throws AppError `provider_unavailable`, `provider_timeout`
 */
export async function signRenewals(
  { client }: ChainContext,
  signer: SolanaSigner,
  old: readonly string[],
  newId: WantedPayouts['newId'],
): Promise<PreparedBatch[]> {
  const latest = await readLatestBlockhash(client)
  return Promise.all(
    inParts(old, ADVANCED_AT_ONCE).map(async (accounts) => {
      const instructions = accounts.map((account) => advanceNonce(signer.address, account))
      return preparing(await signInstructions(signer, instructions, latest.blockhash), latest, newId)
    }),
  )
}

/**
 * Signs transactions that create nonces, as far as the balance covers their rent.
 * @param wanted how many
 * @param lamports what the treasury has for it
 * @throws AppError `provider_unavailable`, `provider_timeout`
 */
export async function signCreations(
  { client }: ChainContext,
  signer: SolanaSigner,
  {
    missing,
    wanted,
    lamports,
    newId,
  }: Pick<Nonces, 'missing'> & Pick<WantedPayouts, 'newId'> & { wanted: number; lamports: bigint },
): Promise<PreparedBatch[]> {
  const rent = await readNonceRent(client)
  const affordable = lamports / (BigInt(rent) + CREATE_FEE_LAMPORTS)
  const places = missing.slice(0, Math.min(wanted, Number(affordable)))
  if (places.length === 0) return []
  const latest = await readLatestBlockhash(client)
  return Promise.all(
    inParts(places, CREATED_AT_ONCE).map(async (some) => {
      const instructions = createNonces(signer.address, some, rent)
      return preparing(await signInstructions(signer, instructions, latest.blockhash), latest, newId)
    }),
  )
}

function preparing(
  { signature, raw }: { signature: string; raw: string },
  { lastValidBlockHeight }: { lastValidBlockHeight: number },
  newId: WantedPayouts['newId'],
): PreparedBatch {
  const lifetime = { nonce: null, durableNonce: null, validUntil: lastValidBlockHeight }
  return { payouts: [], batchId: newId(), hash: signature, raw, ...lifetime }
}

/** The items in their order, so many to a part. */
export function inParts<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}
