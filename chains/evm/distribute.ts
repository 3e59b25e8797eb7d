import { encodeFunctionData, erc20Abi, zeroAddress, type Address, type Hex } from 'viem'
import type { EvmAsset, ForwarderSplit } from '../chain.js'
import type { EvmClient } from './client.js'
import { forwarderAbi } from './forwarder.js'
import { ask } from './rpc.js'
import { splitShares } from '../shares.js'
import { splitAddress, splitDeployData, type Split } from './split.js'

/**
 * What the settlement of a split needs next. `deploy` and `distribute` are transactions (without value) that anyone may
 * send; `waiting`: no money is there and none ever was, as far as this node knows; `done`: all that came was shared out.
 */
export type SplitStep =
  | { kind: 'deploy' | 'distribute'; to: Address; data: Hex }
  | { kind: 'waiting' }
  | { kind: 'done'; distributed: bigint }

/**
 * Whether a chain really has the deployer that its splits are created through. Without code there, a deployment would
 * succeed and do nothing, and the money at the split's address would stay: ask before an address is handed out.
 * @throws AppError `provider_unavailable`, `provider_timeout`
 */
export async function hasSplitDeployer(client: EvmClient, forwarder: ForwarderSplit): Promise<boolean> {
  const code = await ask('build', () => client.getCode({ address: forwarder.deployer }))
  return code !== undefined
}

/**
 * Reads a split's address and says what is to be done now. Repeat it until `done`; both transactions fail, and change
 * nothing, where another sender was faster. Asked again later, it finds funds that came late.
 * @param forwarder the chain's `split`
 * @param confirmations how many blocks old the sharing out has to be before it counts as done
 * @throws AppError `confirm_rpc_unavailable`; RangeError for percentages that do not sum to 100
 */
export async function nextSplitStep(
  client: EvmClient,
  forwarder: ForwarderSplit,
  split: Split,
  asset: EvmAsset,
  confirmations = 1,
): Promise<SplitStep> {
  const address = splitAddress(forwarder, split)
  const [code, balance] = await Promise.all([
    ask('confirm', () => client.getCode({ address })),
    readBalance(client, asset, address),
  ])
  if (code === undefined) {
    if (balance === 0n) return { kind: 'waiting' }
    return { kind: 'deploy', to: forwarder.deployer, data: splitDeployData(split) }
  }
  if (balance > 0n) return { kind: 'distribute', to: address, data: distributeData(split, asset) }
  const distributed = await readDistributed(client, asset, address, confirmations)
  return distributed > 0n ? { kind: 'done', distributed } : { kind: 'waiting' }
}

/** What was shared out by the block that is final; 0 where the forwarder is younger than that. */
async function readDistributed(
  client: EvmClient,
  asset: EvmAsset,
  address: Address,
  confirmations: number,
): Promise<bigint> {
  const latest = await ask('confirm', () => client.getBlockNumber())
  const blockNumber = latest - BigInt(confirmations) + 1n
  const code = await ask('confirm', () => client.getCode({ address, blockNumber }))
  if (code === undefined) return 0n
  const call = { address, abi: forwarderAbi, functionName: 'distributed', args: [tokenAddress(asset)] } as const
  return ask('confirm', () => client.readContract({ ...call, blockNumber }))
}

function distributeData(split: Split, asset: EvmAsset): Hex {
  return encodeFunctionData({
    abi: forwarderAbi,
    functionName: 'distribute',
    args: [tokenAddress(asset), split.receivers, splitShares(split.percents)],
  })
}

function readBalance(client: EvmClient, asset: EvmAsset, address: Address): Promise<bigint> {
  return ask('confirm', () =>
    asset.kind === 'native'
      ? client.getBalance({ address })
      : client.readContract({ address: asset.address, abi: erc20Abi, functionName: 'balanceOf', args: [address] }),
  )
}

/** The forwarder's word for an asset: the zero address is the native coin. */
function tokenAddress(asset: EvmAsset): Address {
  return asset.kind === 'native' ? zeroAddress : asset.address
}
