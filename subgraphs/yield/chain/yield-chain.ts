import type { AddressLookupTableAccount, PublicKey } from '@solana/web3.js'
import type { SendOutcome } from '../../../chains/solana/broadcast.js'
import type { ChainAccount, ChainTime } from '../providers/provider.js'

/** What a transaction would lead to if it ran now. */
export interface Simulation {
  /** The node's error as JSON-RPC shows it; null where it would succeed. */
  error: unknown
  unitsConsumed: number
  /** Why it would fail, for people. */
  details: string
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
  /** The newest slot that any node has shown us so far. */
  newestSlot: () => number
  /**
   * Whether a transaction can never land any more: its blockhash is too old, and no node shows it. Nodes behind one
   * address are not equally far, and one that lags does not know a fresh blockhash either: only an answer from after
   * `seenSlot` counts, which is a slot at which the transaction was signed already. @throws AppError confirm_rpc_unavailable
   */
  isDead: (signed: { signature: string; blockhash: string; feePayer: string }, seenSlot: number) => Promise<boolean>
  /** Sends a signed transaction (base64), once. */
  send: (wire: string, minContextSlot?: number) => Promise<SendOutcome>
}
