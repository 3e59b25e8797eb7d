import { size, type Address } from 'viem'
import type { EvmChain } from '../chain.js'
import type { EvmClient } from './client.js'
import { FORWARDER_BYTECODE } from './forwarder.js'
import { clipGasPrice } from './gas-price-max.js'
import { estimateL1Fee } from './l1-fee.js'
import { ask } from './rpc.js'
import { splitDeployData, type Split } from './split.js'

/**
 * The gas that a split takes of us, the deployment of its forwarder and the call that shares out, as measured for a token that the receivers
 * had nothing of (ADR 23). A forwarder is one payment's own, so it is deployed for each.
 */
const SPLIT_GAS = 700_000n
const RECEIVER_GAS = 28_000n

/** The calldata of both beside the forwarder's code: the deployment's two words, then selector and five words of `distribute`. */
const SPLIT_BYTES = 64n + 164n
const RECEIVER_BYTES = 64n

/** What a split's transactions are priced by on a chain now, in wei. */
export interface SharingPrices {
  /** Of a unit of gas, not above what we pay for it at most. */
  gasPrice: bigint
  /** Of a byte that is published on Ethereum; 0 where that costs nothing. */
  bytePrice: bigint
}

/**
 * Reads what a split's transactions are priced by. The prices hold for all splits of the chain.
 * @param split any one; its deployment is what publishing is priced by
 * @throws AppError `provider_unavailable`, `provider_timeout`
 */
export async function readSharingPrices(
  client: EvmClient,
  chain: Pick<EvmChain, 'name' | 'gasPriceMaxGwei' | 'rollup' | 'split'>,
  split: Split,
): Promise<SharingPrices> {
  const deployer = chain.rollup === 'op-stack' ? chain.split?.deployer : undefined
  const [gasPrice, bytePrice] = await Promise.all([
    ask('build', () => client.getGasPrice()),
    deployer === undefined ? 0n : readBytePrice(client, deployer, split),
  ])
  return { gasPrice: clipGasPrice(chain, gasPrice), bytePrice }
}

async function readBytePrice(client: EvmClient, to: Address, split: Split): Promise<bigint> {
  const data = splitDeployData(split)
  const fee = await estimateL1Fee(client, { to, data, value: 0n, gas: SPLIT_GAS })
  return fee / BigInt(size(data))
}

/** What it costs us to share a split out at these prices, in wei. */
export function sharingCost({ gasPrice, bytePrice }: SharingPrices, { version, receivers }: Split): bigint {
  const count = BigInt(receivers.length)
  const bytes = BigInt(size(FORWARDER_BYTECODE[version])) + SPLIT_BYTES + RECEIVER_BYTES * count
  return (SPLIT_GAS + RECEIVER_GAS * count) * gasPrice + bytes * bytePrice
}
