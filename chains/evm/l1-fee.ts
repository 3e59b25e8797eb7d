import { isHex, parseAbi, serializeTransaction, type Hex, type TransactionReceipt } from 'viem'
import type { EvmClient } from './client.js'
import { GAS_PRICE_ORACLE } from './gas-price-oracle.js'
import { ask } from './rpc.js'
import type { EvmCall } from './transfer-call.js'

const oracleAbi = parseAbi(['function getL1Fee(bytes unsignedTransaction) view returns (uint256)'])

/** The price of publishing moves until the transaction is in a block: a third more, as the oracle's other callers take. */
const MARGIN = { times: 4n, over: 3n }

/**
 * What publishing a call of ours on Ethereum may cost on top of its gas, in wei.
 * @throws AppError `provider_unavailable`, `provider_timeout`
 */
export async function estimateL1Fee(client: EvmClient, call: EvmCall & { gas: bigint }): Promise<bigint> {
  // What is published counts by its bytes: fees and nonce of the usual size are as good as the real ones.
  const usual = { chainId: 1, nonce: 1_000_000, maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 10n ** 9n }
  const unsigned: Hex = serializeTransaction({ type: 'eip1559', ...usual, ...call })
  const args = [unsigned] as const
  const fee = await ask('build', () =>
    client.readContract({ address: GAS_PRICE_ORACLE, abi: oracleAbi, functionName: 'getL1Fee', args }),
  )
  return (fee * MARGIN.times) / MARGIN.over
}

/** What a transaction that landed has cost in all, in wei: its gas, and what an OP-stack chain took for publishing it. */
export function costOf(receipt: TransactionReceipt): bigint {
  const { l1Fee } = receipt as { l1Fee?: unknown }
  return receipt.gasUsed * receipt.effectiveGasPrice + (isHex(l1Fee) ? BigInt(l1Fee) : 0n)
}
