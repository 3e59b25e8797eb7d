import type { EvmTransactionRequest } from '../../../chains/evm/build-call.js'

/** An unsigned EVM transaction; all quantities are decimal strings. */
export interface EvmUnsignedTransaction {
  schemaVersion: 1
  family: 'evm'
  chainName: string
  transactionRequest: EvmTransactionRequest
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
