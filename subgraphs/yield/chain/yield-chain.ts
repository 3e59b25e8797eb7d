import type { AddressLookupTableAccount, PublicKey } from '@solana/web3.js'
import type { ChainAccount, ChainTime } from '../providers/provider.js'

/** What a transaction would lead to if it ran now. */
export interface Simulation {
  /** The node's error as JSON-RPC shows it; null where it would succeed. */
  error: unknown
  unitsConsumed: number
  /** Why it would fail, for people. */
  details: string
  /** Whether an account has less SOL than the transaction takes from it: for its fee, its rent, or what is moved. */
  lacksLamports: boolean
}

/** Where a transaction stands on the chain. */
export interface SignatureStatus {
  slot: number
  /** Null where it did what it says. */
  error: unknown
  /** Whether it is final by the chain's commitment. */
  isFinal: boolean
}

/** The chain that the strategies are on, as the use cases see it. */
export interface YieldChain {
  /** The name that callers use, e.g. `solana`. */
  name: string
  /** Accounts as they are at one moment, and that moment. @throws AppError provider_unavailable, provider_timeout */
  readAccounts: (addresses: readonly PublicKey[]) => Promise<{ accounts: (ChainAccount | null)[]; time: ChainTime }>
  /** @throws AppError provider_unavailable, provider_timeout */
  latestBlockhash: () => Promise<{ blockhash: string; lastValidBlockHeight: number }>
  /** Runs an unsigned transaction without sending it. @throws AppError provider_unavailable, provider_timeout */
  simulate: (wire: Uint8Array) => Promise<Simulation>
  /** Micro-lamports a compute unit that recent transactions on these accounts paid. @throws as `simulate` */
  priorityFee: (written: readonly PublicKey[]) => Promise<number>
  /** The deployment's address look-up table; undefined where it has none. @throws as `simulate` */
  lookupTable: () => Promise<AddressLookupTableAccount | undefined>
  /** Where a transaction stands; undefined where no node knows it. @throws AppError confirm_rpc_unavailable */
  findSignature: (signature: string) => Promise<SignatureStatus | undefined>
  /**
   * How many blocks a blockhash lives that this process has handed out; undefined where it has not, or the chain does not tell. Never rejects.
   */
  blocksLeft: (blockhash: string) => Promise<number | undefined>
  /** The newest slot that nodes have shown so far, see `newest-slot.ts`. */
  newestSlot: () => number
  /** A caller was told of this slot: accounts are read, and transactions tried, as they are in it or later. */
  noteLanded: (slot: number) => void
  /**
   * Sends a signed transaction, once. `unknown`: nobody can say whether it arrived.
   * @throws AppError broadcast_rpc_unavailable, broadcast_simulation_failed, broadcast_rejected, signed_transaction_missing;
   *   solana_blockhash_expired where it is proven that it can never land
   */
  send: (signed: SendableTransaction, after: SendAfter) => Promise<'sent' | 'unknown'>
}

/** A signed transaction, and what it lives by and is found by. */
export interface SendableTransaction {
  signature: string
  /** Base64. */
  wire: string
  blockhash: string
  feePayer: string
}

/** What a node has to have seen before it is believed. */
export interface SendAfter {
  /** The slot of the transaction that this one builds upon: a node that has not seen it refuses to try. */
  afterSlot: number | undefined
  /** A slot at which the transaction was signed already: a node behind it does not know a fresh blockhash. */
  seenSlot: number
}
