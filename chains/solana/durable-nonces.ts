import { createHash } from 'node:crypto'
import {
  NONCE_ACCOUNT_LENGTH,
  NonceAccount,
  PublicKey,
  SystemProgram,
  type TransactionInstruction,
} from '@solana/web3.js'
import bs58 from 'bs58'
import type { SolanaClient } from './client.js'
import { readRent } from './rent.js'
import { ask } from './rpc.js'

/**
 * A value that a transaction names in place of a blockhash, and uses up as it lands: of all that name it, with the same account,
 * the chain takes one at most, whatever any node says of the others. It does not expire. Accounts that got theirs in the same block hold the same value.
 */
export interface DurableNonce {
  /** The account that holds it, and the value; both base58. */
  account: string
  value: string
  /** A slot at which the account held it. */
  slot: number
}

/** As many nonces as an account of ours has at most, and so as many transactions that may be under way at once. */
export const NONCES_MAX = 48
/** So many fit into one transaction that creates them, or that advances them. */
export const CREATED_AT_ONCE = 5
export const ADVANCED_AT_ONCE = 20

const known = new Map<string, readonly string[]>()

/** The addresses of an owner's nonce accounts, base58, whether they are there or not: they follow from its own address. */
export function nonceAddresses(owner: string): readonly string[] {
  const addresses = known.get(owner) ?? Array.from({ length: NONCES_MAX }, (_, index) => addressOf(owner, index))
  known.set(owner, addresses)
  return addresses
}

const seedOf = (index: number): string => `nonce-${index}`

/** solana-pubkey: Pubkey::create_with_seed. */
function addressOf(owner: string, index: number): string {
  const hash = createHash('sha256').update(bs58.decode(owner)).update(seedOf(index))
  return bs58.encode(hash.update(SystemProgram.programId.toBytes()).digest())
}

/** Creates the nonce accounts at some places of an owner's addresses. @param lamports the rent of one */
export function createNonces(owner: string, places: readonly number[], lamports: number): TransactionInstruction[] {
  const payer = new PublicKey(owner)
  return places.flatMap((place) => {
    const noncePubkey = new PublicKey(addressOf(owner, place))
    const seed = { basePubkey: payer, seed: seedOf(place) }
    const accounts = { fromPubkey: payer, authorizedPubkey: payer, noncePubkey, lamports }
    return SystemProgram.createNonceAccount({ ...accounts, ...seed }).instructions
  })
}

/** Uses up what a nonce account holds. A transaction that lives by it has this as its first instruction. */
export function advanceNonce(owner: string, account: string): TransactionInstruction {
  return SystemProgram.nonceAdvance({
    noncePubkey: new PublicKey(account),
    authorizedPubkey: new PublicKey(owner),
  })
}

/**
 * What nonce accounts hold, in their order; undefined for those that are not there.
 * @param minSlot a slot that the node must have seen
 * @returns `slot`: the node's
 * @throws AppError `confirm_rpc_unavailable`, also where the node is behind
 */
export async function readNonces(
  client: SolanaClient,
  accounts: readonly string[],
  minSlot: number,
): Promise<{ slot: number; values: readonly (string | undefined)[] }> {
  const config = { encoding: 'base64', commitment: 'confirmed', minContextSlot: minSlot }
  const answer = (await ask('confirm', () => client.call('getMultipleAccounts', [accounts, config]))) as {
    context: { slot: number }
    value: readonly ({ data: readonly [string, string] } | null)[]
  }
  return { slot: answer.context.slot, values: accounts.map((_, index) => valueIn(answer.value[index]?.data[0])) }
}

/** Nodes that are further behind than that call themselves unhealthy (Agave: health-check-slot-distance 128). */
const SLOTS_APART_MAX = 150

/**
 * Whether another answer of the cluster's nodes is about as new as a slot that one has named. What is signed for a nonce has every later look at
 * it be as new as the node that has shown it: by a slot that no chain has, all would be behind for ever.
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function isSlotShown(client: SolanaClient, slot: number): Promise<boolean> {
  const other = (await ask('confirm', () => client.call('getSlot', [{ commitment: 'confirmed' }]))) as number
  return slot - other <= SLOTS_APART_MAX
}

function valueIn(data: string | undefined): string | undefined {
  const bytes = Buffer.from(data ?? '', 'base64')
  return bytes.length === NONCE_ACCOUNT_LENGTH ? NonceAccount.fromAccountData(bytes).nonce : undefined
}

/** The rent of one nonce account, in lamports. Throws AppError `provider_unavailable`, `provider_timeout`. */
export function readNonceRent(client: SolanaClient): Promise<number> {
  return readRent(client, NONCE_ACCOUNT_LENGTH)
}
