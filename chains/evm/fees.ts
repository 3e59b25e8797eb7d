import { Eip1559FeesNotSupportedError, hexToBytes, type Address } from 'viem'
import { AppError } from '../../kernel/errors.js'
import type { EvmClient } from './client.js'
import { assertWithinCap, clipFees, type CappedChain } from './gas-price-max.js'
import { missingCode } from './missing-code.js'
import { ask, rpcFailure } from './rpc.js'
import type { EvmCall } from './transfer-call.js'

/** EIP-1559 fees per unit of gas, in wei. */
export interface Fees {
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
  /** The chain has no EIP-1559: both are the price of a unit of gas, and what is signed is a legacy transaction. */
  isLegacy?: boolean
}

/**
 * The fees for a transaction that may be sent a few minutes from now: twice the present base fee, which five full blocks
 * in a row cannot exceed (EIP-1559: at most an eighth more per block), and the tip that the node suggests.
 * @param capped the chain, for a transaction of ours: it waits while gas costs more than the chain's cap
 * Where the chain has no base fee it is the price that the node suggests.
 * @throws AppError `provider_unavailable`, `provider_timeout`
 */
export async function readFees(client: EvmClient, capped?: CappedChain): Promise<Fees> {
  const [block, maxPriorityFeePerGas] = await Promise.all([
    ask('build', () => client.getBlock({ blockTag: 'latest' })),
    ask('build', () => readTip(client)),
  ])
  if (block.baseFeePerGas === null || maxPriorityFeePerGas === undefined) return readGasPrice(client, capped)
  const fees = { maxFeePerGas: block.baseFeePerGas * 2n + maxPriorityFeePerGas, maxPriorityFeePerGas }
  if (!capped) return fees
  assertWithinCap(capped, block.baseFeePerGas + maxPriorityFeePerGas)
  return clipFees(capped, fees)
}

/** Undefined where viem finds no base fee to take off the gas price. */
async function readTip(client: EvmClient): Promise<bigint | undefined> {
  try {
    return await client.estimateMaxPriorityFeePerGas()
  } catch (error) {
    if (error instanceof Eip1559FeesNotSupportedError) return undefined
    throw error
  }
}

async function readGasPrice(client: EvmClient, capped: CappedChain | undefined): Promise<Fees> {
  const gasPrice = await ask('build', () => client.getGasPrice())
  if (capped) assertWithinCap(capped, gasPrice)
  return { maxFeePerGas: gasPrice, maxPriorityFeePerGas: gasPrice, isLegacy: true }
}

/** EIP-7825: no transaction may ask for more, whatever a block holds. */
const TRANSACTION_GAS_MAX = 16_777_216n

/**
 * The most gas that one transaction may ask for: nodes refuse one that no block can hold.
 * @throws AppError `provider_unavailable`, `provider_timeout`
 */
export async function readGasCap(client: EvmClient): Promise<bigint> {
  const { gasLimit } = await ask('build', () => client.getBlock({ blockTag: 'latest' }))
  return gasLimit < TRANSACTION_GAS_MAX ? gasLimit : TRANSACTION_GAS_MAX
}

/**
 * The gas limit for a call: the node's estimate and a fifth more, as state may change before it is in a block.
 * @param gasMax where given, the node runs the call with no more: what it calls may be made to burn all it can
 * @throws AppError `broadcast_simulation_failed` where the call would revert, `provider_unavailable`, `provider_timeout`; also where
 *   the node has run no code for a call that moves no coin: it is behind the contract, and with so little gas the call fails
 */
export async function estimateGasLimit(
  client: EvmClient,
  from: Address,
  call: EvmCall,
  gasMax?: bigint,
): Promise<bigint> {
  const estimate = await ask('build', () =>
    client
      .estimateGas({ account: from, ...call, ...(gasMax !== undefined && { gas: gasMax }) })
      .catch((error: unknown) => {
        const failure = rpcFailure(error)
        if (failure?.kind !== 'refused') throw error
        throw new AppError('broadcast_simulation_failed', { details: failure.reason })
      }),
  )
  if (call.value === 0n && estimate < gasWithoutCode(call)) {
    throw new AppError('provider_unavailable', { details: missingCode(call.to) })
  }
  return (estimate * 6n + 4n) / 5n
}

/** A transaction with calldata for nobody costs no more, with something to spare: the floor of EIP-7623, which is above all before it. */
function gasWithoutCode({ data }: EvmCall): bigint {
  const bytes = hexToBytes(data)
  if (bytes.length === 0) return 0n
  return 22_000n + bytes.reduce((sum, byte) => sum + (byte === 0 ? 10n : 40n), 0n)
}
