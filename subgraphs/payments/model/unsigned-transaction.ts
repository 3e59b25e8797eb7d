import type { EvmTransactionRequest } from '../../../chains/evm/build-call.js'

/** An unsigned EVM transaction; all quantities are decimal strings. */
export interface EvmUnsignedTransaction {
  schemaVersion: 1
  family: 'evm'
  chainName: string
  transactionRequest: EvmTransactionRequest
  /**
   * The wallet's count of mined transactions when it was built, where others of it were waiting: a wallet may take the nonce of one of
   * these. Absent where none was waiting, and in what older releases have built. Not handed out.
   */
  minedNonce?: number
  meta: { source: string; approval?: { token: string; spender: string; amount: string } }
}

/** An unsigned Solana transaction; `serialized` is the base64 wire. */
export interface SolanaUnsignedTransaction {
  schemaVersion: 1
  family: 'solana'
  chainName: string
  serialized: string
  recentBlockhash: string
  lastValidBlockHeight: number
  feePayer: string
  reference: string
  meta: { source: string }
}

export type UnsignedTransaction = EvmUnsignedTransaction | SolanaUnsignedTransaction
