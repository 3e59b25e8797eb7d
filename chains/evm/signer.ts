import {
  keccak256,
  type Address,
  type Hex,
  type TransactionSerializableEIP1559,
  type TransactionSerializableLegacy,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { EvmClient } from './client.js'
import { estimateGasLimit, readFees, type Fees } from './fees.js'
import type { CappedChain } from './gas-price-max.js'
import { ask } from './rpc.js'
import type { EvmCall } from './transfer-call.js'
import type { SignedEvmTransaction } from './verify-signed.js'

/** What we sign: a legacy transaction where the chain has no EIP-1559. */
export type SignableTransaction = TransactionSerializableEIP1559 | TransactionSerializableLegacy

/** Something that signs for one account: a local key here, a remote signer in `chains/signers`. */
export interface Signer {
  address: Address
  /**
   * The signed transaction, of which every field is as given. The same one may be signed again and get other bytes.
   * @throws AppError `provider_unavailable`, `provider_timeout` where the signer is another system
   */
  signTransaction(transaction: SignableTransaction): Promise<Hex>
}

/**
 * A signer that holds its key in memory.
 * @param privateKey 0x-hex of 32 bytes
 */
export function localSigner(privateKey: Hex): Signer {
  const account = privateKeyToAccount(privateKey)
  return { address: account.address, signTransaction: (transaction) => account.signTransaction(transaction) }
}

/** What a transaction of ours costs at most: gas units, and wei per unit. */
export interface TransactionCost extends Fees {
  gas: bigint
}

/**
 * Estimates a transaction of ours, which the gas payer or the treasury signs.
 * @param options.gasMax see `estimateGasLimit`
 * @param options.capped see `readFees`
 * @throws AppError `broadcast_simulation_failed` where it would revert, `provider_unavailable`, `provider_timeout`
 */
export async function estimateCost(
  client: EvmClient,
  from: Address,
  call: EvmCall,
  { gasMax, capped }: { gasMax?: bigint; capped?: CappedChain } = {},
): Promise<TransactionCost> {
  const [fees, gas] = await Promise.all([readFees(client, capped), estimateGasLimit(client, from, call, gasMax)])
  return { ...fees, gas }
}

/**
 * The nonce after an account's last transaction that the chain knows; the caller keeps its own count too, as a
 * transaction that was signed but not sent yet is not known to the chain.
 * @throws AppError `provider_unavailable`, `provider_timeout`
 */
export async function readNextNonce(client: EvmClient, address: Address): Promise<number> {
  return ask('build', () => client.getTransactionCount({ address, blockTag: 'pending' }))
}

/**
 * Signs a transaction of ours. Its hash is known before it is sent: store nonce, hash and raw, then broadcast.
 * Nothing is read or sent here. Signing again may give another hash, as AWS KMS does, but it has the same nonce: of both the
 * chain takes one at most.
 * @throws AppError `provider_unavailable`, `provider_timeout` where the signer is another system
 */
export async function signTransaction(
  signer: Signer,
  transaction: EvmCall & TransactionCost & { chainId: number; nonce: number },
): Promise<SignedEvmTransaction> {
  const { isLegacy = false, maxFeePerGas, maxPriorityFeePerGas, ...rest } = transaction
  const raw = await signer.signTransaction(
    isLegacy
      ? { type: 'legacy', ...rest, gasPrice: maxFeePerGas }
      : { type: 'eip1559', ...rest, maxFeePerGas, maxPriorityFeePerGas },
  )
  return { hash: keccak256(raw), nonce: transaction.nonce, raw }
}
