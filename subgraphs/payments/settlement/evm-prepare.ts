import { evmAddress, type EvmChain } from '../../../chains/chain.js'
import { estimateGasLimit, readFees, readGasCap, type Fees } from '../../../chains/evm/fees.js'
import { estimateL1Fee } from '../../../chains/evm/l1-fee.js'
import { readNextNonce, signTransaction } from '../../../chains/evm/signer.js'
import { paymentReference } from '../../../chains/evm/split.js'
import { transferCall } from '../../../chains/evm/transfer-call.js'
import { AppError } from '../../../kernel/errors.js'
import { toBaseUnits } from '../../../kernel/money.js'
import type { Payout } from '../store/payout.entity.js'
import { assetOf, keyOf, NATIVE, readBalances, reserve } from './evm-balances.js'
import { planBatches } from './evm-batches.js'
import type { Draft, EvmTreasury } from './evm-treasury.js'
import type { Preparation, PreparedBatch, WantedPayouts } from './payout-chain.js'

/** What a round may still spend, as the drafts are signed one after the other. */
interface Purse {
  fees: Fees
  balances: Map<string, bigint>
  nonce: number
}

/**
 * What the native coin may cost to a receiver that is a contract: its code runs at the treasury's cost. A smart wallet
 * takes some 10,000 on top of the 21,000 of a transfer.
 */
const NATIVE_GAS_MAX = 100_000n

/**
 * Signs transactions for payouts: batches first, whose numbers are their nonces, then what prepares for them, then singles.
 * @throws AppError `provider_unavailable`, `provider_timeout`
 */
export async function prepareEvm(treasury: EvmTreasury, wanted: WantedPayouts): Promise<Preparation> {
  const { client, signer, chain } = treasury
  const { payouts, open, nextNonce, newestBlock } = wanted
  const [fees, gasCap, onChain, balances] = await Promise.all([
    readFees(client, chain),
    readGasCap(client),
    readNextNonce(client, signer.address),
    readBalances(client, chain, { account: signer.address, newestBlock }, payouts),
  ])
  assertAllKnown(onChain, nextNonce)
  reserve(chain, balances, open)
  const insufficientFunds: Payout[] = []
  const covered = payouts.filter((payout) => takeTokens(chain, balances, payout) || !insufficientFunds.push(payout))
  const purse: Purse = { fees, balances, nonce: nextNonce }
  const plan = await planBatches(treasury, wanted, covered, { gasCap, number: purse.nonce })
  const drafted = await Promise.all(plan.singles.map((payout) => draftSingle(treasury, payout, gasCap)))
  const failing = drafted.filter((one): one is Failing => 'reason' in one)
  const prepared: PreparedBatch[] = []
  const drafts = [...plan.batches, ...plan.setup, ...drafted.filter((one): one is Draft => 'gas' in one)]
  for (const [index, draft] of drafts.entries()) {
    const l1Fee = chain.rollup === 'op-stack' ? await estimateL1Fee(client, { ...draft.call, gas: draft.gas }) : 0n
    const isAffordable = spend(purse, draft, l1Fee)
    if (isAffordable) prepared.push(await sign(treasury, wanted, draft, purse))
    else insufficientFunds.push(...draft.payouts)
    // A batch's number is its nonce: without one batch the later ones would have other nonces than numbers.
    if (isAffordable || index >= plan.batches.length) continue
    insufficientFunds.push(...plan.batches.slice(index + 1).flatMap((batch) => batch.payouts))
    break
  }
  return { prepared, insufficientFunds, failing }
}

/**
 * A node that counts more than is known is wrong, or something was sent since that was looked at: to sign behind it might leave a
 * gap of nonces that nothing fills. One that is behind, or has dropped some, counts fewer, and is not gone by.
 */
function assertAllKnown(onChain: number, nextNonce: number): void {
  if (onChain <= nextNonce) return
  const details = `a node counts ${onChain} transactions of the treasury, and ${nextNonce} are known`
  throw new AppError('provider_unavailable', { details })
}

interface Failing {
  payout: Payout
  reason: string
}

/**
 * Takes a token payout's amount off the balances. Returns whether they cover it; of the coin, which is taken with the gas, whether they
 * cover it at all: nodes refuse to estimate the gas of more than the account has, which would look as if the receiver could not be paid.
 */
function takeTokens(chain: EvmChain, balances: Map<string, bigint>, payout: Payout): boolean {
  const asset = assetOf(chain, payout)
  const left = (balances.get(keyOf(asset)) ?? 0n) - toBaseUnits(payout.amount, asset.decimals)
  if (asset.kind === 'native') return left >= 0n
  if (left >= 0n) balances.set(keyOf(asset), left)
  return left >= 0n
}

/** Takes a draft's coins off the purse. Returns whether they cover it. */
function spend({ fees, balances }: Purse, { gas, call }: Draft, l1Fee: bigint): boolean {
  const left = (balances.get(NATIVE) ?? 0n) - gas * fees.maxFeePerGas - l1Fee - call.value
  if (left >= 0n) balances.set(NATIVE, left)
  return left >= 0n
}

async function sign(
  { signer, chain: { chainId } }: EvmTreasury,
  { newId }: WantedPayouts,
  { payouts, call, gas }: Draft,
  purse: Purse,
): Promise<PreparedBatch> {
  const nonce = purse.nonce++
  const { hash, raw } = await signTransaction(signer, { ...call, ...purse.fees, gas, nonce, chainId })
  return { payouts, batchId: newId(), hash, raw, nonce, durableNonce: null, validUntil: null }
}

/** A payout as a transaction of its own, or why it would fail: one that none can be made for keeps no other's waiting. */
async function draftSingle(
  { client, signer, chain }: EvmTreasury,
  payout: Payout,
  gasCap: bigint,
): Promise<Draft | Failing> {
  try {
    const asset = assetOf(chain, payout)
    const amount = toBaseUnits(payout.amount, asset.decimals)
    const reference = paymentReference(payout.paymentId)
    const call = transferCall({ asset, to: evmAddress(payout.receiver), amount, reference })
    const cap = asset.kind === 'native' && NATIVE_GAS_MAX < gasCap ? NATIVE_GAS_MAX : gasCap
    const gas = await estimateGasLimit(client, signer.address, call, cap)
    return gas > cap ? { payout, reason: `it needs ${gas} gas, more than ${cap}` } : { payouts: [payout], call, gas }
  } catch (error) {
    if (!(error instanceof AppError)) return { payout, reason: `no transaction can be made: ${nameOf(error)}` }
    if (error.code !== 'broadcast_simulation_failed') throw error
    return { payout, reason: error.details ?? 'it reverts' }
  }
}

/** What kind of error it is: its text may hold what nobody has looked through. */
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error)
