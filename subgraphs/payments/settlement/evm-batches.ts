import { isAddressEqual, parseTransaction, type Address, type Hex } from 'viem'
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

/** How payouts go together, and which go alone. */
interface BatchPlan {
  batches: readonly Draft[]
  /** Transactions that prepare the account for batches; they pay nobody. */
  setup: readonly Draft[]
  singles: readonly Payout[]
}

/**
 * Puts payouts of one token together, as many as one transaction may pay. Whom a batch could not pay goes alone, where the
 * chain's reason shows; so does everything while the account is not prepared.
 * @param from.number of the first batch; the next ones follow
 * @throws AppError `provider_unavailable`, `provider_timeout`
 */
export async function planBatches(
  treasury: EvmTreasury,
  { open, room }: WantedPayouts,
  payouts: readonly Payout[],
  { gasCap, number }: { gasCap: bigint; number: number },
): Promise<BatchPlan> {
  const { chain } = treasury
  const batches: Draft[] = []
  const setup: Draft[] = []
  const alone = new Set(payouts)
  for (const ofToken of Map.groupBy(payouts, ({ symbol }) => symbol).values()) {
    const fitting = ofToken.filter((payout) => fits(treasury, payout))
    const contract = chain.split && payoutBatchAddress(chain.split)
    if (!contract || fitting.length < 2) continue
    if (!(await isReady(treasury, contract, fitting))) {
      if (fitting.length >= SETUP_MIN) setup.push(...(await draftSetup(treasury, contract, fitting, open, gasCap)))
      continue
    }
    for (let start = 0; start < fitting.length && batches.length < room; start += BATCH_LEGS_MAX) {
      const chunk = fitting.slice(start, start + BATCH_LEGS_MAX)
      if (chunk.length < 2) continue
      const draft = await draftBatch(treasury, contract, chunk, { gasCap, number: BigInt(number + batches.length) })
      if (!draft) continue
      batches.push(draft)
      for (const payout of draft.payouts) alone.delete(payout)
    }
  }
  return { batches, setup, singles: payouts.filter((payout) => alone.has(payout)) }
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
  { client, signer, chain }: EvmTreasury,
  contract: Address,
  chunk: readonly Payout[],
  { gasCap, number }: { gasCap: bigint; number: bigint },
): Promise<Draft | undefined> {
  const token = tokenOf({ chain } as EvmTreasury, chunk)
  const callOf = (payouts: readonly Payout[]): EvmCall => {
    const legs = payouts.map((payout) => ({
      to: payout.receiver as Address,
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
    if (!(error instanceof AppError) || error.code !== 'broadcast_simulation_failed') throw error
    return undefined
  }
}

/**
 * The transactions by which a treasury comes to pay in batches: the contract, where nobody has created it yet, and the
 * allowance for a token. Each is tried once by a process, and not while one is on its way.
 */
async function draftSetup(
  treasury: EvmTreasury,
  contract: Address,
  payouts: readonly Payout[],
  open: WantedPayouts['open'],
  gasCap: bigint,
): Promise<Draft[]> {
  const { client, signer, chain, attempted } = treasury
  if (!chain.split || !(await hasSplitDeployer(client, chain.split))) return []
  const token = tokenOf(treasury, payouts)
  const readiness = await readBatchReadiness(client, contract, { account: signer.address, token })
  const calls = [
    ...(readiness.hasContract ? [] : [deployBatchCall(chain.split)]),
    ...(readiness.allowance > 0n ? [] : [approveBatchCall(contract, token)]),
  ]
  const drafts: Draft[] = []
  for (const call of calls) {
    const key = `${chain.name} ${call.to}`
    if (attempted.has(key) || open.some((batch) => isTo(batch.transaction.raw as Hex, call.to))) continue
    const gas = await estimateGasLimit(client, signer.address, call, gasCap)
    drafts.push({ payouts: [], call, gas, prepares: key })
  }
  return drafts
}

function isTo(raw: Hex, address: Address): boolean {
  const { to } = parseTransaction(raw)
  return to != null && isAddressEqual(to, address)
}
