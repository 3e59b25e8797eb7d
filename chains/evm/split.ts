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
import { splitShares } from '../shares.js'
import { FORWARDER_BYTECODE, forwarderAbi, type SplitVersion } from './forwarder.js'

/** A split of one payment: whom its address pays, in which percentages, and the reference that makes it unique. */
export interface Split {
  version: SplitVersion
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

/** The forwarder's creation code for a split, its constructor argument included. */
export function splitInitCode(split: Split): Hex {
  if (split.receivers.length !== split.percents.length) throw new RangeError('one percentage per receiver is needed')
  const terms = encodeAbiParameters(
    [{ type: 'address[]' }, { type: 'uint256[]' }],
    [split.receivers, splitShares(split.percents)],
  )
  return encodeDeployData({ abi: forwarderAbi, bytecode: FORWARDER_BYTECODE[split.version], args: [keccak256(terms)] })
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
