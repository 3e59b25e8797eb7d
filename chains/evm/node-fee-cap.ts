import { parseTransaction, type Hex } from 'viem'
import type { EvmChain } from '../chain.js'

/** The words of geth and reth (--rpc.txfeecap, 1 coin where nobody sets it), and of Besu (--rpc-tx-feecap). */
const ABOVE_CAP = /exceeds the configured cap|fee cap exceeded/i

/**
 * By chain, the lowest cost of a transaction's gas, in wei, for which a node has refused it: of a process, for as long as it lives. What a
 * node is set to pass on at most nobody tells before.
 */
export type FeeRefusals = Map<string, bigint>

type Named = Pick<EvmChain, 'name'>

/** A transaction that is to be passed on costs at most one part of so many of what was refused: the cap lies anywhere below that. */
const BELOW = 2n

/**
 * Whether a node refuses a transaction because its whole gas may cost more than the node is set to pass on. It refuses these bytes as long as
 * it is set so, and takes the same call with less gas, or with lower fees.
 * @param reason as `broadcast_rejected` has it
 */
export function isAboveNodeFeeCap(reason: string): boolean {
  return ABOVE_CAP.test(reason)
}

/** What the gas of a signed transaction costs at most, in wei: what nodes compare with their cap. */
export function gasCostAtMost(raw: Hex): bigint {
  const { gas = 0n, maxFeePerGas, gasPrice = 0n } = parseTransaction(raw)
  return gas * (maxFeePerGas ?? gasPrice)
}

/** Notes that a node does not pass a transaction on for what its gas may cost. */
export function noteFeeRefusal(refusals: FeeRefusals, { name }: Named, raw: Hex): void {
  const cost = gasCostAtMost(raw)
  const known = refusals.get(name)
  if (known === undefined || cost < known) refusals.set(name, cost)
}

/** Whether a node has refused a transaction whose gas could not cost more than this one's. @param gasCost at most, in wei */
export function isRefusedFee(refusals: FeeRefusals, { name }: Named, gasCost: bigint): boolean {
  const refused = refusals.get(name)
  return refused !== undefined && gasCost >= refused
}

/** So much gas a transaction may ask for, to be passed on; undefined while none was refused for what its gas may cost. */
export function gasWithin(refusals: FeeRefusals, { name }: Named, maxFeePerGas: bigint): bigint | undefined {
  const refused = refusals.get(name)
  return refused === undefined || maxFeePerGas === 0n ? undefined : refused / BELOW / maxFeePerGas
}
