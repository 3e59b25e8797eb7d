import { parseGwei } from 'viem'
import { aboveCap } from '../fee-cap.js'
import type { EvmChain } from '../chain.js'

/** As much of a chain as its cap takes. */
export type CappedChain = Pick<EvmChain, 'name' | 'gasPriceMaxGwei'>

/** What a transaction offers for a unit of gas, in wei. */
interface FeeOffer {
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
}

/**
 * Keeps a transaction of ours waiting while gas costs more than the chain's cap: what is owed stays written down.
 * @param gasPrice in wei, as the chain has it now
 * @throws AppError `provider_unavailable`
 */
export function assertWithinCap(chain: CappedChain, gasPrice: bigint): void {
  if (gasPrice <= capOf(chain, gasPrice)) return
  throw aboveCap(`gas on ${chain.name} costs ${gasPrice} wei`)
}

/** The same fees, but not above the chain's cap. */
export function clipFees<Offer extends FeeOffer>(chain: CappedChain, fees: Offer): Offer {
  const { maxFeePerGas, maxPriorityFeePerGas } = fees
  const most = capOf(chain, maxFeePerGas)
  const least = (fee: bigint): bigint => (fee < most ? fee : most)
  return { ...fees, maxFeePerGas: least(maxFeePerGas), maxPriorityFeePerGas: least(maxPriorityFeePerGas) }
}

/** A price of gas, but not above the chain's cap: above it our transactions wait. In wei. */
export function clipGasPrice(chain: CappedChain, gasPrice: bigint): bigint {
  const most = capOf(chain, gasPrice)
  return gasPrice < most ? gasPrice : most
}

/** Whether a fee is within a chain's cap. */
export function isWithinCap(chain: CappedChain, maxFeePerGas: bigint): boolean {
  return maxFeePerGas <= capOf(chain, maxFeePerGas)
}

function capOf({ gasPriceMaxGwei }: CappedChain, otherwise: bigint): bigint {
  return gasPriceMaxGwei === undefined ? otherwise : parseGwei(gasPriceMaxGwei)
}
