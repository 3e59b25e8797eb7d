import {
  concatHex,
  encodeAbiParameters,
  encodeDeployData,
  getContractAddress,
  keccak256,
  stringToHex,
  type Address,
  type Hex,
} from 'viem'
import type { ForwarderSplit } from '../chain.js'
import { FORWARDER_BYTECODE, forwarderAbi } from './forwarder.js'

/** A split of one payment: whom its address pays, in which percentages, and the reference that makes it unique. */
export interface Split {
  /** See `paymentReference`. */
  reference: Hex
  receivers: readonly Address[]
  /** Decimal strings, one per receiver, that sum to exactly 100. */
  percents: readonly string[]
}

/** The 32 bytes by which a payment is known on chain: keccak256 of `payment:` and its id. */
export function paymentReference(paymentId: string): Hex {
  return keccak256(stringToHex(`payment:${paymentId}`))
}

/**
 * Percentages as whole numbers in the same proportion: hundredths, or as fine as the finest of them is.
 * @param percents decimal strings like `33.333333`
 * @throws RangeError where one is not a decimal number or they do not sum to exactly 100
 */
export function splitShares(percents: readonly string[]): bigint[] {
  const parts = percents.map((percent) => {
    const match = /^(\d{1,3})(?:\.(\d{1,18}))?$/.exec(percent)
    if (!match) throw new RangeError('a percentage is a decimal number with at most 18 decimals')
    return { whole: match[1] ?? '', decimals: match[2] ?? '' }
  })
  const scale = Math.max(2, ...parts.map((part) => part.decimals.length))
  const shares = parts.map((part) => BigInt(part.whole + part.decimals.padEnd(scale, '0')))
  const sum = shares.reduce((total, share) => total + share, 0n)
  if (sum !== 100n * 10n ** BigInt(scale)) throw new RangeError('the percentages do not sum to 100')
  return shares
}

/**
 * What each receiver of `total` gets: every share rounded down, what remains goes to the first; the same arithmetic as
 * `Forwarder.distribute`.
 * @param total in base units
 * @param percents see `splitShares`
 * @throws RangeError as `splitShares`
 */
export function shareAmounts(total: bigint, percents: readonly string[]): bigint[] {
  const shares = splitShares(percents)
  const sum = shares.reduce((subtotal, share) => subtotal + share, 0n)
  const amounts = shares.map((share) => (total * share) / sum)
  const remaining = total - amounts.reduce((subtotal, amount) => subtotal + amount, 0n)
  return amounts.map((amount, index) => (index === 0 ? amount + remaining : amount))
}

/** The forwarder's creation code for a split, its constructor argument included. */
export function splitInitCode(split: Split): Hex {
  if (split.receivers.length !== split.percents.length) throw new RangeError('one percentage per receiver is needed')
  const terms = encodeAbiParameters(
    [{ type: 'address[]' }, { type: 'uint256[]' }],
    [split.receivers, splitShares(split.percents)],
  )
  return encodeDeployData({ abi: forwarderAbi, bytecode: FORWARDER_BYTECODE, args: [keccak256(terms)] })
}

/**
 * The address of a split, known before anything is deployed there: CREATE2 (EIP-1014) through the chain's deployer, with
 * the payment's reference as salt. Only this payment's receivers and shares can empty it.
 * @param forwarder the chain's `split`
 * @throws RangeError as `splitShares`
 */
export function splitAddress(forwarder: ForwarderSplit, split: Split): Address {
  return getContractAddress({
    opcode: 'CREATE2',
    from: forwarder.deployer,
    salt: split.reference,
    bytecode: splitInitCode(split),
  })
}

/** What is sent to the deterministic deployer to create a split's forwarder: the salt, then the creation code. */
export function splitDeployData(split: Split): Hex {
  return concatHex([split.reference, splitInitCode(split)])
}
