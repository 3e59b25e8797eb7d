import { encodeFunctionData, erc20Abi, zeroAddress, type Address, type Hex } from 'viem'
import type { EvmAsset, ForwarderSplit } from '../chain.js'
import type { EvmClient } from './client.js'
import { forwarderAbi } from './forwarder.js'
import { CLAIM_GAS_MAX, findClaim, readReserved } from './claim.js'
import { ask } from './rpc.js'
import { splitShares } from '../shares.js'
import { splitAddress, splitDeployData, type Split } from './split.js'
import type { GasBounds } from './transfer-call.js'

/**
 * What the settlement of a split needs next. `deploy`, `distribute` and `claim` are transactions (without value) that anyone
 * may send; `waiting`: less has come, or is old enough, than is due, as far as this node knows; `owed`: the others are paid, and
 * these receivers cannot be now; `done`: all that is due has reached the receivers.
 */
export type SplitStep =
  | { kind: 'deploy' | 'distribute'; to: Address; data: Hex; gas?: GasBounds }
  | { kind: 'claim'; to: Address; data: Hex; gas: GasBounds; receiver: Address }
  | { kind: 'waiting' }
  | { kind: 'owed'; at: Address; receivers: readonly Address[] }
  | { kind: 'done'; distributed: bigint }

/** What makes a split done. */
export interface SplitDue {
  /** What the payer was asked for, in base units. Anybody may send an address less before. */
  due: bigint
  /** Who sends the transactions. */
  sender: Address
  /** How many blocks old the sharing out has to be before it counts. */
  confirmations?: number
  /** Whether so much, in base units, is worth a transaction of its own; what completes what is due always is. All is by default. */
  isWorth?: (amount: bigint) => boolean
  /** Whether what is kept for a receiver may be claimed for him now; for all by default. */
  mayClaim?: (receiver: Address) => Promise<boolean>
}

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
 * Reads a split's address and says what is to be done now. Repeat it until `done`; the transactions fail, and change
 * nothing, where another sender was faster. Asked again later, it finds funds that came late.
 * @param forwarder the chain's `split`
 * @throws AppError `confirm_rpc_unavailable`, `provider_unavailable`, `provider_timeout`; RangeError for percentages that do not sum to 100
 */
export async function nextSplitStep(
  client: EvmClient,
  forwarder: ForwarderSplit,
  split: Split,
  asset: EvmAsset,
  { due, sender, confirmations = 1, isWorth = () => true, mayClaim = () => Promise.resolve(true) }: SplitDue,
): Promise<SplitStep> {
  const address = splitAddress(forwarder, split)
  const token = tokenAddress(asset)
  const [code, balance] = await Promise.all([
    ask('confirm', () => client.getCode({ address })),
    readBalance(client, asset, address),
  ])
  if (code === undefined) {
    if (balance === 0n) return { kind: 'waiting' }
    return { kind: 'deploy', to: forwarder.deployer, data: splitDeployData(split) }
  }
  const kept = split.version === 1 ? 0n : await readReserved(client, address, token)
  const free = balance - kept
  if (free > 0n && (isWorth(free) || (await completes(client, { address, token, free, due })))) {
    return { kind: 'distribute', to: address, data: distributeData(split, token), gas: gasOf(split, asset) }
  }
  if (kept > 0n) {
    const { claim, owed } = await findClaim(client, { address, sender, token, receivers: split.receivers, mayClaim })
    if (claim) return { kind: 'claim', to: address, ...claim, gas: { gasMax: CLAIM_GAS_MAX } }
    if (owed.length > 0) return { kind: 'owed', at: address, receivers: owed }
  }
  const distributed = await readArrived(client, split, { address, token, confirmations })
  return distributed >= due ? { kind: 'done', distributed } : { kind: 'waiting' }
}

/**
 * Whether all that is due will have been shared out once an amount is. What is kept for a receiver was shared out too: as long as one cannot
 * be paid, anybody could have us share single units out otherwise.
 */
async function completes(
  client: EvmClient,
  { address, token, free, due }: { address: Address; token: Address; free: bigint; due: bigint },
): Promise<boolean> {
  const call = { address, abi: forwarderAbi, functionName: 'distributed', args: [token] } as const
  const shared = await ask('confirm', () => client.readContract(call))
  return shared < due && shared + free >= due
}

/** What had reached the receivers by the block that is final; 0 where the forwarder is younger than that. */
async function readArrived(
  client: EvmClient,
  { version }: Split,
  { address, token, confirmations }: { address: Address; token: Address; confirmations: number },
): Promise<bigint> {
  const latest = await ask('confirm', () => client.getBlockNumber())
  const blockNumber = latest - BigInt(confirmations) + 1n
  const code = await ask('confirm', () => client.getCode({ address, blockNumber }))
  if (code === undefined) return 0n
  const call = { address, abi: forwarderAbi, functionName: 'distributed', args: [token] } as const
  const [distributed, kept] = await Promise.all([
    ask('confirm', () => client.readContract({ ...call, blockNumber })),
    version === 1 ? 0n : readReserved(client, address, token, blockNumber),
  ])
  return distributed - kept
}

/**
 * What one receiver may use when it is shared out, and not while the node estimates that: the 100,000 gas of its share with the stipend of
 * 2,300, and 24,000 to write down that it is owed its share.
 */
const SHARE_SPARE_GAS = 130_000n

/**
 * A receiver's code gets control when a coin is shared out. Were it to use more than while it was estimated, the contract would find too
 * little gas left for those behind it and take everything back (`TooLittleGas`), as often as it is sent.
 */
function gasOf({ receivers }: Split, { kind }: EvmAsset): GasBounds {
  return kind === 'native' ? { gasSpare: BigInt(receivers.length) * SHARE_SPARE_GAS } : {}
}

function distributeData(split: Split, token: Address): Hex {
  return encodeFunctionData({
    abi: forwarderAbi,
    functionName: 'distribute',
    args: [token, split.receivers, splitShares(split.percents)],
  })
}

/** What an address holds of an asset, in base units. Throws AppError `confirm_rpc_unavailable`. */
export function readBalance(client: EvmClient, asset: EvmAsset, address: Address): Promise<bigint> {
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
