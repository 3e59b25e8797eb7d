import { isAddressEqual, type Address, type Hex, type TransactionReceipt } from 'viem'
import type { EvmChain } from '../../../chains/chain.js'
import { readFinality } from '../../../chains/evm/canonical.js'
import type { EvmClient } from '../../../chains/evm/client.js'
import { isKnown, readConfirmation, verifyNativeTransfer, verifyTransfers } from '../../../chains/evm/confirm.js'
import { costOf } from '../../../chains/evm/l1-fee.js'
import { isNonceTaken, isNonceTakenAt, type OurNonce } from '../../../chains/evm/nonce-taken.js'
import { payoutBatchAddress, readUnpaid } from '../../../chains/evm/payout-batch.js'
import { isCancellation } from '../../../chains/evm/replace.js'
import { ask } from '../../../chains/evm/rpc.js'
import { fromBaseUnits, toBaseUnits } from '../../../kernel/money.js'
import type { SignedBatch } from '../store/batches.js'
import type { Payout } from '../store/payout.entity.js'
import { assetOf } from './evm-balances.js'
import type { LegResult, TransactionStatus } from './payout-chain.js'

/** The higher of two counts of used nonces: of two nodes one may be behind. Throws AppError confirm_rpc_unavailable. */
export async function countUsed(client: EvmClient, address: Address): Promise<number> {
  const count = (): Promise<number> => ask('confirm', () => client.getTransactionCount({ address, blockTag: 'latest' }))
  return Math.max(...(await Promise.all([count(), count()])))
}

/**
 * Where the transactions of an EVM treasury are; those that wait for more blocks are left out.
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function retrieveOpen(
  client: EvmClient,
  chain: EvmChain,
  account: Address,
  open: readonly SignedBatch[],
): Promise<TransactionStatus[]> {
  const used = await countUsed(client, account)
  const nonces = [...new Set(open.map(({ transaction }) => transaction.nonce ?? 0))]
  const statuses = await Promise.all(
    nonces.map(async (nonce): Promise<TransactionStatus[]> => {
      const versions = open.filter(({ transaction }) => transaction.nonce === nonce)
      if (nonce < used) return retrieveUsed(client, chain, account, versions)
      const newest = versions.at(-1)
      if (!newest) return []
      const state = (await isKnown(client, newest.transaction.hash as Hex)) ? 'waiting' : 'unknown'
      return [{ signed: newest, state }]
    }),
  )
  return statuses.flat()
}

/**
 * Of the versions of a nonce that a node calls used up, one has landed, unless the key is used elsewhere too, which has to
 * be proven. What landed and moved nothing counts once its block is final: on another branch it might pay still, and the
 * payouts are to be signed with another nonce then.
 */
async function retrieveUsed(
  client: EvmClient,
  chain: EvmChain,
  account: Address,
  versions: readonly SignedBatch[],
): Promise<TransactionStatus[]> {
  for (const signed of versions) {
    const confirmation = await readConfirmation(client, chain, signed.transaction.hash as Hex)
    if (confirmation.state === 'confirming') return []
    if (confirmation.state !== 'confirmed' && confirmation.state !== 'reverted') continue
    const { receipt, state } = confirmation
    const { symbol: currency, decimals } = chain.nativeCoin
    const fee = { amount: fromBaseUnits(costOf(receipt), decimals), currency, decimals }
    const hasFreed = isCancellation(signed.transaction.raw as Hex, account)
    if (state === 'reverted' || hasFreed) {
      return (await isFinal(client, chain, receipt)) ? [{ signed, state: 'failed', fee }] : []
    }
    const block = { number: Number(receipt.blockNumber), hash: receipt.blockHash }
    const results = await resultsOf(client, chain, signed, receipt)
    return [{ signed, state: 'confirmed', fee, block, results }]
  }
  const [signed] = versions
  const nonce = signed?.transaction.nonce ?? 0
  const ours: OurNonce = { account, nonce, hashes: versions.map(({ transaction }) => transaction.hash as Hex) }
  if (!signed || !(await isNonceTaken(client, chain, ours))) return []
  const { final } = await readFinality(client, chain, [])
  const isForGood = await isNonceTakenAt(client, final, ours)
  return [{ signed, state: 'unexpected', reason: 'lost its nonce to another transaction', isFinal: isForGood }]
}

async function isFinal(client: EvmClient, chain: EvmChain, receipt: TransactionReceipt): Promise<boolean> {
  const { final, hashAt } = await readFinality(client, chain, [receipt.blockNumber])
  return receipt.blockNumber <= final && hashAt(receipt.blockNumber) === receipt.blockHash
}

/**
 * What a transaction did for each leg. What arrived counts, by the token's own logs: each leg needs one of its own. Only
 * where there is none the batch's word of a leg counts, that it was not paid.
 */
async function resultsOf(
  client: EvmClient,
  chain: EvmChain,
  { transaction, legs }: SignedBatch,
  receipt: TransactionReceipt,
): Promise<LegResult[]> {
  const from = transaction.account as Address
  const unpaid = chain.split ? readUnpaid(receipt, payoutBatchAddress(chain.split)) : new Map<number, Hex>()
  const logs = [...receipt.logs]
  const results: LegResult[] = []
  for (const { leg, payout } of legs) {
    if (unpaid.has(leg.position)) {
      const reason = `${payout.receiver} cannot be paid ${payout.symbol}: ${unpaid.get(leg.position) ?? ''}`
      results.push({ outcome: 'unpaid', reason })
    } else if (await hasPaid(client, chain, from, { ...payout, amount: leg.amount }, { ...receipt, logs }))
      results.push({ outcome: 'paid' })
    else
      results.push({ outcome: 'unproven', reason: `${receipt.transactionHash} landed and does not show its transfer` })
  }
  return results
}

/** Whether a transaction paid a payout. The log that shows it is taken out, so that it counts for one. */
async function hasPaid(
  client: EvmClient,
  chain: EvmChain,
  from: Address,
  payout: Payout,
  receipt: TransactionReceipt,
): Promise<boolean> {
  const asset = assetOf(chain, payout)
  const value = toBaseUnits(payout.amount, asset.decimals)
  const to = payout.receiver as Address
  if (!isAddressEqual(receipt.from, from)) return false
  if (asset.kind === 'native') return verifyNativeTransfer(client, receipt, { from, to, value })
  const index = receipt.logs.findIndex((log) =>
    verifyTransfers({ ...receipt, logs: [log] }, [{ token: asset.address, from, to, value }]),
  )
  if (index !== -1) receipt.logs.splice(index, 1)
  return index !== -1
}
