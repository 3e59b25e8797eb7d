import {
  hexToBytes,
  isAddressEqual,
  keccak256,
  parseTransaction,
  recoverTransactionAddress,
  serializeTransaction,
  type Hex,
  type TransactionSerializable,
  type TransactionSerialized,
} from 'viem'
import { AppError } from '../../kernel/errors.js'
import type { EvmChain } from '../chain.js'
import { differs, undecodable } from '../signed-refusals.js'
import type { EvmTransactionRequest } from './build-call.js'

/** A signed transaction that is what was built: its hash is known before it is sent. */
export interface SignedEvmTransaction {
  hash: Hex
  nonce: number
  /** Canonical bytes in lower-case hex. */
  raw: Hex
}

/** geth's limit for a transaction in its pool (core/txpool/legacypool: txMaxSize). */
const MAX_RAW_BYTES = 128 * 1024

/** Half the order of secp256k1: nodes refuse a higher `s` since EIP-2, because it gives one payment a second hash. */
const MAX_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/** Wallets choose their own fees; above this a payer would burn money by mistake. In wei per gas. */
const ALWAYS_ACCEPTED_FEE = 1_000_000_000_000n

type Parsed = TransactionSerializable & { r?: Hex; s?: Hex; v?: bigint; yParity?: number }

/**
 * Checks that `raw` is the built transaction, signed by its sender: same chain, target, value and data. Gas limit, fees
 * and nonce may differ, as wallets set their own; the type may be EIP-1559, EIP-2930 or legacy with a chain id.
 * @param unsigned what was handed out
 * @param raw 0x-hex of the signed transaction
 * @throws AppError `invalid_parameters` (not a signed transaction in canonical encoding), `invalid_chain`,
 *   `invalid_signed_transaction` (`details` says what differs)
 */
export async function verifySigned(
  chain: EvmChain,
  unsigned: EvmTransactionRequest,
  raw: string,
): Promise<SignedEvmTransaction> {
  const { serialized, transaction } = decode(raw)
  if (transaction.chainId === undefined) throw differs('it is valid on every chain (no chain id)')
  if (transaction.chainId !== chain.chainId || transaction.chainId !== unsigned.chainId) {
    throw new AppError('invalid_chain')
  }
  checkContent(unsigned, transaction)
  checkFees(unsigned, transaction)
  const signer = await recoverTransactionAddress({ serializedTransaction: serialized as TransactionSerialized }).catch(
    () => undefined,
  )
  if (!signer || !isAddressEqual(signer, unsigned.from)) throw differs('it has another signer')
  return { hash: keccak256(serialized), nonce: transaction.nonce ?? 0, raw: serialized }
}

function decode(raw: string): { serialized: Hex; transaction: Parsed } {
  if (raw.length > 2 + 2 * MAX_RAW_BYTES) throw undecodable('it is too long')
  if (!/^0x(?:[0-9a-fA-F]{2})+$/.test(raw)) throw undecodable('it is not 0x-hex')
  const serialized: Hex = `0x${raw.slice(2).toLowerCase()}`
  const transaction = parse(serialized)
  const { r, s, v, yParity } = transaction
  if (r === undefined || s === undefined) throw undecodable('it is not signed')
  if (BigInt(s) > MAX_S) throw undecodable('its signature is not canonical')
  // A decoder that is more lenient than the nodes' would give a hash that the chain never sees.
  if (encode(transaction, { r, s, v, yParity }) !== serialized) throw undecodable('its encoding is not canonical')
  return { serialized, transaction }
}

function parse(serialized: Hex): Parsed {
  try {
    return parseTransaction(serialized) as Parsed
  } catch {
    throw undecodable('it is not an encoded transaction')
  }
}

function encode(
  transaction: Parsed,
  signature: { r: Hex; s: Hex; v: bigint | undefined; yParity: number | undefined },
): Hex | undefined {
  const { r, s, v, yParity } = signature
  try {
    if (v !== undefined && transaction.type === 'legacy') return serializeTransaction(transaction, { r, s, v })
    return yParity === undefined ? undefined : serializeTransaction(transaction, { r, s, yParity })
  } catch {
    return undefined
  }
}

function checkContent(unsigned: EvmTransactionRequest, transaction: Parsed): void {
  if (transaction.type !== 'eip1559' && transaction.type !== 'eip2930' && transaction.type !== 'legacy') {
    throw differs('it has a type that the built one cannot take')
  }
  // viem leaves out what is zero or empty.
  if (transaction.to == null || !isAddressEqual(transaction.to, unsigned.to)) throw differs('it has another target')
  if ((transaction.value ?? 0n) !== BigInt(unsigned.value)) throw differs('it has another value')
  if ((transaction.data ?? '0x') !== unsigned.data.toLowerCase()) throw differs('it has other data')
  if (transaction.type !== 'legacy' && transaction.accessList?.length) throw differs('it has an access list')
}

/**
 * What a transaction costs before anything runs, in gas (EIP-2028). A node refuses one with a lower limit for good, as geth does; anvil 1.x
 * takes it, puts it into no block, and drops it: until that is seen the payer can hand in no other.
 */
function intrinsicGas(data: Hex): bigint {
  return hexToBytes(data).reduce((gas, byte) => gas + (byte === 0 ? 4n : 16n), 21_000n)
}

function checkFees(unsigned: EvmTransactionRequest, transaction: Parsed): void {
  const feePerGas = transaction.maxFeePerGas ?? transaction.gasPrice ?? 0n
  const builtFee = 100n * BigInt(unsigned.maxFeePerGas)
  if (feePerGas > (builtFee > ALWAYS_ACCEPTED_FEE ? builtFee : ALWAYS_ACCEPTED_FEE)) throw differs('its fee is absurd')
  const gas = transaction.gas ?? 0n
  if (gas > 10n * BigInt(unsigned.gasLimit)) throw differs('its gas limit is absurd')
  if (gas < intrinsicGas(unsigned.data)) throw differs('its gas limit is less than its data costs')
}
