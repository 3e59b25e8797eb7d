import { getAddress, type Address, type Hex } from 'viem'
import type { EvmChain } from '../chain.js'
import { payerLacks } from '../payer-lacks.js'
import type { EvmClient } from './client.js'
import { estimateGasLimit, readFees } from './fees.js'
import { ask } from './rpc.js'
import type { EvmCall } from './transfer-call.js'

/** An unsigned EVM transaction as the API hands it out: quantities are decimal strings (wei, gas units). */
export interface EvmTransactionRequest {
  to: Address
  from: Address
  data: Hex
  nonce: number
  value: string
  chainId: number
  gasLimit: string
  maxFeePerGas: string
  maxPriorityFeePerGas: string
}

/**
 * Completes a call to a transaction that `from` can sign: nonce, gas limit and fees as the chain has them now.
 * @param input.gasLimit given where the call cannot be estimated yet, because it needs an approval first
 * @throws AppError `validation_error` on `payerWallet` where the payer cannot pay for value and gas,
 *   `broadcast_simulation_failed` where the call would revert, `provider_unavailable`, `provider_timeout`
 */
export async function buildCall(
  input: { chain: EvmChain; client: EvmClient; from: Address; gasLimit?: bigint } & EvmCall,
): Promise<EvmTransactionRequest> {
  const { chain, client, from, to, data, value } = input
  const [nonce, fees, balance] = await Promise.all([
    ask('build', () => client.getTransactionCount({ address: from, blockTag: 'pending' })),
    readFees(client),
    ask('build', () => client.getBalance({ address: from })),
  ])
  if (balance < value) throw payerLacks(`${chain.nativeCoin.symbol} balance`)
  const gasLimit = input.gasLimit ?? (await estimateGasLimit(client, from, { to, data, value }))
  // A node refuses a transaction whose sender cannot pay the whole limit at the highest fee.
  if (balance < value + gasLimit * fees.maxFeePerGas) throw payerLacks(`${chain.nativeCoin.symbol} balance for gas`)
  return {
    to: getAddress(to),
    from: getAddress(from),
    data,
    nonce,
    value: value.toString(),
    chainId: chain.chainId,
    gasLimit: gasLimit.toString(),
    maxFeePerGas: fees.maxFeePerGas.toString(),
    maxPriorityFeePerGas: fees.maxPriorityFeePerGas.toString(),
  }
}
