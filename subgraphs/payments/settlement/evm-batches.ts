import { isAddressEqual, parseTransaction, type Address, type Hex } from 'viem'
import { evmAddress, type EvmChain, type ForwarderSplit } from '../../../chains/chain.js'
import { hasSplitDeployer } from '../../../chains/evm/distribute.js'
import { estimateGasLimit } from '../../../chains/evm/fees.js'
import {
  approveBatchCall,
  BATCH_LEGS_MAX,
  deployBatchCall,
  LEG_AMOUNT_MAX,
  payBatchCall,
  payoutBatchAddress,
  readBatchReadiness,
  simulateBatch,
} from '../../../chains/evm/payout-batch.js'
import { paymentReference } from '../../../chains/evm/split.js'
import type { EvmCall } from '../../../chains/evm/transfer-call.js'
import { AppError } from '../../../kernel/errors.js'
import { toBaseUnits } from '../../../kernel/money.js'
import type { Payout } from '../store/payout.entity.js'
import { assetOf } from './evm-balances.js'
import type { Draft, EvmTreasury } from './evm-treasury.js'
import type { WantedPayouts } from './payout-chain.js'

/** So many payouts of a token have to wait together before contract and allowance are paid for: some 600,000 gas, once. */
const SETUP_MIN = 10

/** How payouts go together, and which go alone: together as many transactions as there is room for. */
interface BatchPlan {
  batches: readonly Draft[]
  /** Transactions that prepare the account for batches; they pay nobody. */
  setup: readonly Draft[]
  singles: readonly Payout[]
}

/**
 * Puts payouts of one token together, as many as one transaction may pay. Whom a batch could not pay goes alone, where the
 * chain's reason shows; so does everything while the account is not prepared. The room is filled in the payouts' order, by the first
 * of each transaction: the many of one token leave some to those that have to go alone.
 * @param from.number of the first batch; the next ones follow
 * @throws AppError `provider_unavailable`, `provider_timeout`
 */
export async function planBatches(
  treasury: EvmTreasury,
  { open, room }: WantedPayouts,
  payouts: readonly Payout[],
  { gasCap, number }: { gasCap: bigint; number: number },
): Promise<BatchPlan> {
  const { chunkOf, setupAt } = await groupPayouts(treasury, open, payouts, gasCap)
  const batches: Draft[] = []
  const setup: Draft[] = []
  const singles: Payout[] = []
  const paid = new Set<Payout>()
  const hasRoom = (): boolean => batches.length + setup.length + singles.length < room
  for (const payout of payouts) {
    if (!hasRoom()) break
    for (const draft of setupAt.get(payout) ?? []) {
      // The contract is created once, whichever tokens want it.
      if (hasRoom() && !setup.some(({ call }) => call.to === draft.call.to)) setup.push(draft)
    }
    const chunk = chunkOf.get(payout)
    if (chunk && hasRoom()) {
      // It is tried once.
      for (const one of chunk.payouts) chunkOf.delete(one)
      const draft = await draftBatch(treasury, chunk, { gasCap, number: BigInt(number + batches.length) })
      if (draft) batches.push(draft)
      for (const one of draft?.payouts ?? []) paid.add(one)
    }
    if (!paid.has(payout) && hasRoom()) singles.push(payout)
  }
  return { batches, setup, singles }
}

/** Payouts of one token that one transaction may pay, and the contract that does. */
interface Chunk {
  contract: Address
  payouts: readonly Payout[]
}

/** With which others each payout may go, and what prepares the account, by the first payout that wants it. */
async function groupPayouts(
  treasury: EvmTreasury,
  open: WantedPayouts['open'],
  payouts: readonly Payout[],
  gasCap: bigint,
): Promise<{ chunkOf: Map<Payout, Chunk>; setupAt: Map<Payout, readonly Draft[]> }> {
  const chunkOf = new Map<Payout, Chunk>()
  const setupAt = new Map<Payout, readonly Draft[]>()
  const { split } = treasury.chain
  if (!split) return { chunkOf, setupAt }
  const contract = payoutBatchAddress(split)
  for (const ofToken of Map.groupBy(payouts, ({ symbol }) => symbol).values()) {
    const fitting = ofToken.filter((payout) => fits(treasury, payout))
    const [first] = fitting
    if (!first || fitting.length < 2) continue
    if (!(await isReady(treasury, contract, fitting))) {
      if (fitting.length >= SETUP_MIN) setupAt.set(first, await draftSetup(treasury, split, fitting, open, gasCap))
      continue
    }
    for (let start = 0; start < fitting.length; start += BATCH_LEGS_MAX) {
      const chunk = { contract, payouts: fitting.slice(start, start + BATCH_LEGS_MAX) }
      if (chunk.payouts.length >= 2) for (const payout of chunk.payouts) chunkOf.set(payout, chunk)
    }
  }
  return { chunkOf, setupAt }
}

function fits({ chain }: EvmTreasury, payout: Payout): boolean {
  const asset = assetOf(chain, payout)
  return asset.kind === 'token' && toBaseUnits(payout.amount, asset.decimals) <= LEG_AMOUNT_MAX
}

function tokenOf({ chain }: EvmTreasury, [payout]: readonly Payout[]): Address {
  const asset = payout && assetOf(chain, payout)
  if (asset?.kind !== 'token') throw new Error('a batch is of a token')
  return asset.address
}

/** Whether the contract is there and may move what these payouts need. */
async function isReady(treasury: EvmTreasury, contract: Address, payouts: readonly Payout[]): Promise<boolean> {
  const { client, signer, chain } = treasury
  const token = tokenOf(treasury, payouts)
  const { hasContract, allowance } = await readBatchReadiness(client, contract, { account: signer.address, token })
  const units = payouts.map((payout) => toBaseUnits(payout.amount, assetOf(chain, payout).decimals))
  return hasContract && allowance >= units.reduce((sum, one) => sum + one, 0n)
}

/** A batch that pays all of its legs as far as the node can tell; undefined where less than two can be paid together. */
async function draftBatch(
  treasury: EvmTreasury,
  { contract, payouts: chunk }: Chunk,
  { gasCap, number }: { gasCap: bigint; number: bigint },
): Promise<Draft | undefined> {
  const { client, signer, chain } = treasury
  const token = tokenOf(treasury, chunk)
  const callOf = (payouts: readonly Payout[]): EvmCall => {
    const legs = payouts.map((payout) => ({
      to: evmAddress(payout.receiver),
      amount: toBaseUnits(payout.amount, assetOf(chain, payout).decimals),
      reference: paymentReference(payout.paymentId),
    }))
    return payBatchCall(contract, { token, number, legs })
  }
  try {
    const unpaid = new Set(await simulateBatch(client, signer.address, callOf(chunk), chunk.length))
    const payouts = chunk.filter((_, index) => !unpaid.has(index))
    if (payouts.length < 2) return undefined
    const call = callOf(payouts)
    const gas = await estimateGasLimit(client, signer.address, call, gasCap)
    return gas > gasCap ? undefined : { payouts, call, gas }
  } catch (error) {
    return unlessReverting(error)
  }
}

/**
 * The transactions by which a treasury comes to pay in batches: the contract, where nobody has created it yet, and the
 * allowance for a token. Each is tried once by a process, and not while one is on its way.
 */
async function draftSetup(
  treasury: EvmTreasury,
  split: ForwarderSplit,
  payouts: readonly Payout[],
  open: WantedPayouts['open'],
  gasCap: bigint,
): Promise<Draft[]> {
  const { client, signer, chain, attempted } = treasury
  if (!(await hasSplitDeployer(client, split))) return []
  const contract = payoutBatchAddress(split)
  const token = tokenOf(treasury, payouts)
  const readiness = await readBatchReadiness(client, contract, { account: signer.address, token })
  const calls = [
    ...(readiness.hasContract ? [] : [deployBatchCall(split)]),
    ...(readiness.allowance > 0n ? [] : [approveBatchCall(contract, token)]),
  ]
  const underWay = new Set(open.map(({ transaction }) => setupIn(chain, transaction.raw as Hex, signer.address)))
  const drafts: Draft[] = []
  for (const call of calls) {
    const key = setupIn(chain, call, signer.address)
    if (key === undefined || attempted.has(key) || underWay.has(key)) continue
    const gas = await estimateGasLimit(client, signer.address, call, gasCap).catch(unlessReverting)
    if (gas !== undefined) drafts.push({ payouts: [], call, gas })
  }
  return drafts
}

/**
 * What would revert is not sent, and its payouts go alone, where the chain's reason shows: also the allowance of a token that is
 * paused, which holds up no others.
 */
function unlessReverting(error: unknown): undefined {
  if (!(error instanceof AppError) || error.code !== 'broadcast_simulation_failed') throw error
}

/**
 * What a transaction of an account prepares: the contract, which all accounts share, or its own allowance. For `EvmTreasury.attempted`;
 * undefined where it does something else.
 */
export function setupIn(chain: EvmChain, transaction: Hex | EvmCall, account: Address): string | undefined {
  const { to, data } = typeof transaction === 'string' ? parseTransaction(transaction) : transaction
  const { split, name } = chain
  if (!split || !to) return undefined
  const isOf = (call: EvmCall): boolean => isAddressEqual(call.to, to) && call.data === data
  const key = `${name} ${to.toLowerCase()}`
  if (isOf(deployBatchCall(split))) return key
  return isOf(approveBatchCall(payoutBatchAddress(split), to)) ? `${key} ${account.toLowerCase()}` : undefined
}
