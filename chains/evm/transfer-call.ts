import { concatHex, encodeFunctionData, erc20Abi, type Address, type Hex } from 'viem'
import type { EvmAsset } from '../chain.js'

/** The part of a transaction that says what it does: target, calldata, native value in wei. */
export interface EvmCall {
  to: Address
  data: Hex
  value: bigint
}

/** What gas a call may have in which code of others runs. */
export interface GasBounds {
  /** Gas beside the estimate, as far as its account allows: code of others may use more in a block than while the node estimates. */
  gasSpare?: bigint
  /** The most gas that it may have, where that is less than its account allows. */
  gasMax?: bigint
}

/** A call that an account of ours pays for. */
export type PaidCall = EvmCall & GasBounds

/**
 * The call that moves `amount` base units of a token or of the native coin.
 * @param transfer.reference 32 bytes that bind the transaction to a payment: behind the calldata of a token's `transfer`,
 *   which ignores them, or as the data of a native transfer
 */
export function transferCall(transfer: { asset: EvmAsset; to: Address; amount: bigint; reference?: Hex }): EvmCall {
  const { asset, to, amount, reference = '0x' } = transfer
  if (asset.kind === 'native') return { to, data: reference, value: amount }
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
  return { to: asset.address, data: concatHex([data, reference]), value: 0n }
}
