import {
  concatHex,
  decodeFunctionData,
  decodeFunctionResult,
  encodeFunctionData,
  erc20Abi,
  getContractAddress,
  isAddressEqual,
  keccak256,
  maxUint256,
  numberToHex,
  parseAbi,
  parseEventLogs,
  stringToHex,
  type Address,
  type Hex,
  type TransactionReceipt,
} from 'viem'
import type { ForwarderSplit } from '../chain.js'
import { AppError } from '../../kernel/errors.js'
import type { EvmClient } from './client.js'
import artifact from './contracts/PayoutBatch.json' with { type: 'json' }
import { ask, rpcFailure } from './rpc.js'
import type { EvmCall } from './transfer-call.js'

/** The interface of `contracts/PayoutBatch.sol`. */
export const payoutBatchAbi = parseAbi([
  'function pay(address token, uint256 batch, uint256 legGas, bytes legs) returns (uint256 unpaid)',
  'event Unpaid(uint256 indexed batch, uint256 index, bytes reason)',
  'error BatchUsed()',
  'error BadLegs()',
  'error NoToken()',
  'error TooLittleGas()',
])

/**
 * So many receivers are paid by one transaction. A hundred cost about half the gas of single transfers to new receivers, and a
 * third to known ones; more save hardly more.
 */
export const BATCH_LEGS_MAX = 100

/** What the contract lets one transfer use. Tokens take 30,000 to 65,000; what runs a receiver's code may take more. */
const LEG_GAS = 200_000n

const SALT = keccak256(stringToHex('payments:payout-batch:1'))

/** One receiver of a batch; the amount in base units. */
export interface BatchLeg {
  to: Address
  amount: bigint
  /** Any bytes that tell what is paid; see `paymentReference`. */
  reference: Hex
}

/** The largest amount that fits into a leg's 12 bytes. */
export const LEG_AMOUNT_MAX = (1n << 96n) - 1n

/** Where the contract is, or will be, on every chain that has the deterministic deployer. */
export function payoutBatchAddress({ deployer }: ForwarderSplit): Address {
  return getContractAddress({ opcode: 'CREATE2', from: deployer, salt: SALT, bytecode: artifact.bytecode as Hex })
}

/** The call that creates the contract. */
export function deployBatchCall({ deployer }: ForwarderSplit): EvmCall {
  return { to: deployer, data: concatHex([SALT, artifact.bytecode as Hex]), value: 0n }
}

/** The call that lets the contract move a token of the caller's. It moves nothing but by calls of the same account. */
export function approveBatchCall(contract: Address, token: Address): EvmCall {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [contract, maxUint256] })
  return { to: token, data, value: 0n }
}

/**
 * The call that pays a batch. Behind the calldata, where the contract does not look, stand the first 16 bytes of each leg's
 * reference: by them a payment is found on the chain without our database.
 * @param number not used by this account before
 * @throws RangeError for an amount above `LEG_AMOUNT_MAX`
 */
export function payBatchCall(
  contract: Address,
  { token, number, legs }: { token: Address; number: bigint; legs: readonly BatchLeg[] },
): EvmCall {
  const packed = concatHex(legs.map(({ to, amount }) => concatHex([to, numberToHex(amount, { size: 12 })])))
  const args = [token, number, LEG_GAS, packed] as const
  const data = encodeFunctionData({ abi: payoutBatchAbi, functionName: 'pay', args })
  const references = legs.map(({ reference }) => reference.slice(2, 34)).join('')
  return { to: contract, data: `${data}${references}`, value: 0n }
}

/**
 * What a call of `payBatchCall` pays; of each reference its first 16 bytes.
 * @param data in lower case
 * @returns undefined where it is another call, or does not carry a reference for each leg
 */
export function readBatchCall(data: Hex): { token: Address; legs: readonly BatchLeg[] } | undefined {
  const args = argsOf(data)
  if (!args) return undefined
  const [token, , , packed] = args
  const count = Math.floor((packed.length - 2) / 64)
  const references = data.slice(HEAD_DIGITS + count * 64)
  if (packed.length !== 2 + count * 64 || references.length !== count * 32) return undefined
  const legs = Array.from({ length: count }, (_, index): BatchLeg => {
    const leg = packed.slice(2 + index * 64, 2 + (index + 1) * 64)
    const reference: Hex = `0x${references.slice(index * 32, (index + 1) * 32)}`
    return { to: `0x${leg.slice(0, 40)}`, amount: BigInt(`0x${leg.slice(40)}`), reference }
  })
  return { token, legs }
}

/** `0x`, the function, and five words: token, number, gas, where the legs are, and how long they are. */
const HEAD_DIGITS = 2 + 8 + 5 * 64

function argsOf(data: Hex): readonly [Address, bigint, bigint, Hex] | undefined {
  try {
    return decodeFunctionData({ abi: payoutBatchAbi, data }).args
  } catch {
    // Anybody may call the contract with whatever he likes.
    return undefined
  }
}

/** Whether a batch of this token can be paid from an account: the contract is there, and what it may move. */
export interface BatchReadiness {
  hasContract: boolean
  /** In base units. */
  allowance: bigint
}

/**
 * Reads what paying in batches needs.
 * @throws AppError `provider_unavailable`, `provider_timeout`
 */
export async function readBatchReadiness(
  client: EvmClient,
  contract: Address,
  { account, token }: { account: Address; token: Address },
): Promise<BatchReadiness> {
  const [code, allowance] = await Promise.all([
    ask('build', () => client.getCode({ address: contract })),
    ask('build', () =>
      client.readContract({ address: token, abi: erc20Abi, functionName: 'allowance', args: [account, contract] }),
    ),
  ])
  return { hasContract: code !== undefined, allowance }
}

/**
 * Runs a batch without sending it, and says which of its legs would not be paid: their indexes.
 * @throws AppError `broadcast_simulation_failed` where the whole batch reverts, `provider_unavailable`, `provider_timeout`
 */
export async function simulateBatch(
  client: EvmClient,
  account: Address,
  call: EvmCall,
  count: number,
): Promise<number[]> {
  const unpaid = await ask('build', async () => {
    const { data = '0x' } = await client.call({ account, ...call }).catch((error: unknown) => {
      const failure = rpcFailure(error)
      if (failure?.kind !== 'refused') throw error
      throw new AppError('broadcast_simulation_failed', { details: failure.reason })
    })
    return decodeFunctionResult({ abi: payoutBatchAbi, functionName: 'pay', data })
  })
  return Array.from({ length: count }, (_, index) => index).filter((index) => ((unpaid >> BigInt(index)) & 1n) === 1n)
}

/** Which legs of a batch its receipt calls unpaid: the token's reason by the leg's index. */
export function readUnpaid(receipt: TransactionReceipt, contract: Address): Map<number, Hex> {
  const logs = parseEventLogs({ abi: payoutBatchAbi, eventName: 'Unpaid', logs: receipt.logs })
  return new Map(
    logs
      .filter(({ address }) => isAddressEqual(address, contract))
      .map(({ args }) => [Number(args.index), args.reason] as const),
  )
}
