import { isAddressEqual, parseTransaction, type Address, type Hex } from 'viem'
import type { EvmClient } from './client.js'
import { estimateGasLimit, readFees, type Fees } from './fees.js'
import { clipFees, isWithinCap, type CappedChain } from './gas-price-max.js'
import { ask } from './rpc.js'
import { signTransaction, type Signer } from './signer.js'
import type { EvmCall } from './transfer-call.js'
import type { SignedEvmTransaction } from './verify-signed.js'

/** Nodes take a replacement whose fees are a tenth higher (geth: --txpool.pricebump 10); an eighth and more is taken by all. */
const BUMP = { times: 5n, over: 4n }

/** What is offered at most, in times of what the chain asks for now: a chain that halts must not make it absurd. */
const TIMES_MAX = 10n

/**
 * Whether higher fees may still help a transaction: they stay within the chain's cap and within what its account holds, and it does
 * not offer many times what the chain asks for already.
 * @param account who has signed it
 * @param others of the account's that are on their way: a node wants all of them paid for (geth: ExistingExpenditure)
 * @throws AppError `provider_unavailable`, `provider_timeout`
 */
export async function mayRaiseFees(
  client: EvmClient,
  chain: CappedChain,
  account: Address,
  raw: Hex,
  others: readonly Hex[],
): Promise<boolean> {
  const { maxFeePerGas } = feesIn(raw)
  // A nonce that holds up all others is freed at any price.
  if (!isWithinCap(chain, bumped(maxFeePerGas)) && !isCancellation(raw, account)) return false
  // A node would refuse it, and everything behind it would wait for coin.
  if (bumped(maxFeePerGas) > (await readHighestFee(client, account, raw, others))) return false
  return maxFeePerGas < (await readFees(client)).maxFeePerGas * TIMES_MAX
}

/**
 * The same transaction with a quarter more of fees, or what the chain asks for now if that is more, within its cap and paid for. Of
 * both the chain takes one at most, as they share their nonce. Ask `mayRaiseFees` before.
 * @param raw the signed transaction that is in no block
 * @param others as of `mayRaiseFees`
 * @throws AppError `provider_unavailable`, `provider_timeout`
 */
export async function raiseFees(
  client: EvmClient,
  chain: CappedChain,
  signer: Signer,
  raw: Hex,
  others: readonly Hex[],
): Promise<SignedEvmTransaction> {
  const { to, data = '0x', value = 0n, gas = 0n } = parseTransaction(raw)
  if (!to) throw new Error('a transaction without a target')
  const [now, most] = await Promise.all([readFees(client), readHighestFee(client, signer.address, raw, others)])
  return replace(signer, atMost(most, clipFees(chain, now)), raw, { to, data, value, gas })
}

/** What a transaction costs its account at most, in wei. */
export function costAtMost(raw: Hex): bigint {
  const { value = 0n, gas = 0n } = parseTransaction(raw)
  return value + gas * feesIn(raw).maxFeePerGas
}

/** What an account can offer for a unit of a transaction's gas, in wei, beside what the others cost at most. */
async function readHighestFee(client: EvmClient, address: Address, raw: Hex, others: readonly Hex[]): Promise<bigint> {
  const { value = 0n, gas = 0n } = parseTransaction(raw)
  const balance = await ask('build', () => client.getBalance({ address }))
  const free = others.reduce((rest, other) => rest - costAtMost(other), balance) - value
  return free > 0n ? free / max(gas, 1n) : 0n
}

function atMost(most: bigint, fees: Fees): Fees {
  const { maxFeePerGas, maxPriorityFeePerGas } = fees
  return { ...fees, maxFeePerGas: min(maxFeePerGas, most), maxPriorityFeePerGas: min(maxPriorityFeePerGas, most) }
}

/**
 * A transaction that does nothing, in place of one that nodes refuse for good: with it the nonce is used up, and what
 * comes after can be mined.
 * @param raw the signed transaction whose nonce is to be freed
 * @throws AppError `broadcast_simulation_failed`, `provider_unavailable`, `provider_timeout`
 */
export async function cancelTransaction(client: EvmClient, signer: Signer, raw: Hex): Promise<SignedEvmTransaction> {
  const call: EvmCall = { to: signer.address, data: '0x', value: 0n }
  const gas = await estimateGasLimit(client, signer.address, call)
  // A nonce that holds up all others is freed at any price.
  return replace(signer, await readFees(client), raw, { ...call, gas })
}

/** Whether a signed transaction only frees its nonce: nothing, sent to the account itself. */
export function isCancellation(raw: Hex, account: Address): boolean {
  const { to, data = '0x', value = 0n } = parseTransaction(raw)
  return to != null && isAddressEqual(to, account) && data === '0x' && value === 0n
}

/** What a signed transaction offers for a unit of gas. */
function feesIn(raw: Hex): Fees {
  const { maxFeePerGas, maxPriorityFeePerGas, gasPrice = 0n } = parseTransaction(raw)
  return { maxFeePerGas: maxFeePerGas ?? gasPrice, maxPriorityFeePerGas: maxPriorityFeePerGas ?? gasPrice }
}

async function replace(
  signer: Signer,
  now: Fees,
  raw: Hex,
  call: EvmCall & { gas: bigint },
): Promise<SignedEvmTransaction> {
  const { nonce = 0, chainId = 0 } = parseTransaction(raw)
  const old = feesIn(raw)
  const fees = {
    ...now,
    maxFeePerGas: max(bumped(old.maxFeePerGas), now.maxFeePerGas),
    maxPriorityFeePerGas: max(bumped(old.maxPriorityFeePerGas), now.maxPriorityFeePerGas),
  }
  return signTransaction(signer, { ...call, ...fees, nonce, chainId })
}

function bumped(fee: bigint): bigint {
  return (fee * BUMP.times) / BUMP.over + 1n
}

function min(left: bigint, right: bigint): bigint {
  return left < right ? left : right
}

function max(left: bigint, right: bigint): bigint {
  return left > right ? left : right
}

/**
 * What nodes say of fees that are too low, or of another version that waits in the place of this one. Besu and Linea: "Gas price below
 * configured minimum gas price"; Hedera: "is below configured minimum gas price"; Cosmos: "insufficient fees; got: … required: …".
 */
const UNDERPRICED =
  /underpriced|base ?fee|fee ?too ?low|gas ?price (is )?too low|below (the )?(configured )?minimum|insufficient fees?\b|replacement ?not ?allowed/i

/** Whether a node refuses a transaction for its fees: higher ones help. @param reason as `broadcast_rejected` has it */
export function isUnderpriced(reason: string): boolean {
  return UNDERPRICED.test(reason)
}

/** Refusals that pass besides: the account is funded, the pool has room again, the nonce is looked at. */
const PASSING =
  /insufficient (funds|balance)|pool (is )?full|queue|nonce|too many|rate limit|capacity|unavailable|timeout|syncing|internal error/i

/**
 * Whether a node would refuse the same bytes again however often they are sent, e.g. "intrinsic gas too high" (anvil),
 * "exceeds block gas limit", "transaction gas limit too high" (geth). In doubt it would: to free a nonce for nothing costs
 * some gas, and one that is never freed stops everything behind it.
 * @param reason as `broadcast_rejected` has it
 */
export function isLastingRefusal(reason: string): boolean {
  return !PASSING.test(reason) && !isUnderpriced(reason)
}
