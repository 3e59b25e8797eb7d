import { isAddressEqual, isHex, numberToHex, type Address, type Hex, type TransactionReceipt } from 'viem'
import { evmAddress, findToken, type EvmChain } from '../../../chains/chain.js'
import { askTogether } from '../../../chains/evm/batch.js'
import { readCanonical, readFinality } from '../../../chains/evm/canonical.js'
import type { EvmClient } from '../../../chains/evm/client.js'
import {
  isKnown,
  readConfirmation,
  readTransfers,
  takeTransfer,
  verifyNativeTransfer,
  type ShownTransfer,
} from '../../../chains/evm/confirm.js'
import { costOf } from '../../../chains/evm/l1-fee.js'
import { isNonceTaken, isNonceTakenAt, type OurNonce } from '../../../chains/evm/nonce-taken.js'
import { payoutBatchAddress, readUnpaid } from '../../../chains/evm/payout-batch.js'
import { isCancellation } from '../../../chains/evm/replace.js'
import { ask } from '../../../chains/evm/rpc.js'
import { AppError } from '../../../kernel/errors.js'
import { fromBaseUnits, toBaseUnits } from '../../../kernel/money.js'
import type { LegsReader, PayoutLeg, SignedBatch } from '../store/batches.js'
import type { TreasuryTransaction } from '../store/payout.entity.js'
import type { LegResult, TransactionStatus } from './payout-chain.js'

/** The higher of two counts of used nonces: of two nodes one may be behind. Throws AppError confirm_rpc_unavailable. */
export async function countUsed(client: EvmClient, address: Address): Promise<number> {
  const count = (): Promise<number> => ask('confirm', () => client.getTransactionCount({ address, blockTag: 'latest' }))
  return Math.max(...(await Promise.all([count(), count()])))
}

/** The treasury's account on a chain, and what reads what its transactions pay. */
interface RetrieveContext {
  client: EvmClient
  chain: EvmChain
  account: Address
  withLegs: LegsReader
}

/**
 * Where the transactions of an EVM treasury are; those that wait for more blocks are left out.
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function retrieveOpen(
  context: RetrieveContext,
  open: readonly TreasuryTransaction[],
): Promise<TransactionStatus[]> {
  const { client } = context
  const used = await countUsed(client, context.account)
  const byNonce = Map.groupBy(open, ({ nonce }) => nonce ?? 0)
  const isAnyUsed = [...byNonce.keys()].some((nonce) => nonce < used)
  const settled = isAnyUsed ? await countSettled(context, used) : used
  const statuses = await Promise.all(
    [...byNonce].map(async ([nonce, versions]): Promise<TransactionStatus[]> => {
      if (nonce < settled) return retrieveUsed(context, versions)
      const newest = versions.at(-1)
      // What was in a block a moment ago is old enough in none: there is nothing to read of it yet.
      if (!newest || nonce < used) return []
      const state = (await isKnown(client, newest.hash as Hex)) ? 'waiting' : 'unknown'
      return [{ transaction: newest, state }]
    }),
  )
  return statuses.flat()
}

/**
 * How many nonces were used up as many blocks ago as the chain asks for: none above it can be old enough, so that what only waits
 * for confirmations costs one call in all. A node that does not keep the state of that block is asked for each of them.
 */
async function countSettled({ client, chain, account }: RetrieveContext, used: number): Promise<number> {
  if (chain.confirmations <= 1) return used
  const { head } = await readCanonical(client, [])
  const block = head - BigInt(chain.confirmations) + 1n
  if (block < 0n) return 0
  const [answer] = await askTogether(client, [
    { method: 'eth_getTransactionCount', params: [account, numberToHex(block)] },
  ])
  return answer && 'result' in answer && isHex(answer.result) ? Number(answer.result) : used
}

/**
 * Of the versions of a nonce that a node calls used up, one has landed, unless the key is used elsewhere too, which has to
 * be proven. What landed and moved nothing counts once its block is final: on another branch it might pay still, and the
 * payouts are to be signed with another nonce then.
 */
async function retrieveUsed(
  { client, chain, account, withLegs }: RetrieveContext,
  versions: readonly TreasuryTransaction[],
): Promise<TransactionStatus[]> {
  const ended = async <Rest extends object>(transaction: TreasuryTransaction, rest: Rest) =>
    (await withLegs([transaction])).map((signed) => ({ signed, ...rest }))
  for (const transaction of versions) {
    const confirmation = await readConfirmation(client, chain, transaction.hash as Hex)
    if (confirmation.state === 'confirming') return []
    if (confirmation.state !== 'confirmed' && confirmation.state !== 'reverted') continue
    const { receipt, state } = confirmation
    const { symbol: currency, decimals } = chain.nativeCoin
    const fee = { amount: fromBaseUnits(costOf(receipt), decimals), currency, decimals }
    const isFreed = isCancellation(transaction.raw as Hex, account)
    if (state === 'reverted' || isFreed) {
      return (await isFinal(client, chain, receipt))
        ? ended(transaction, { state: 'failed', fee, isFreed } as const)
        : []
    }
    const block = { number: Number(receipt.blockNumber), hash: receipt.blockHash }
    const [signed] = await withLegs([transaction])
    if (!signed) return []
    const results = await resultsOf(client, chain, signed, receipt)
    return [{ signed, state: 'confirmed', fee, block, results }]
  }
  const [first] = versions
  const nonce = first?.nonce ?? 0
  const ours: OurNonce = { account, nonce, hashes: versions.map(({ hash }) => hash as Hex) }
  if (!first || !(await isNonceTaken(client, chain, ours))) return []
  const told = await finalityIfTold(client, chain, [])
  const isForGood = told !== undefined && (await isNonceTakenAt(client, told.final, ours))
  const reason = 'lost its nonce to another transaction'
  return ended(first, { state: 'unexpected', reason, isFinal: isForGood } as const)
}

async function isFinal(client: EvmClient, chain: EvmChain, receipt: TransactionReceipt): Promise<boolean> {
  const { blockNumber, blockHash } = receipt
  const told = await finalityIfTold(client, chain, [blockNumber])
  return told !== undefined && blockNumber <= told.final && told.hashAt(blockNumber) === blockHash
}

/** What nobody tells is not final yet, and no other payout waits for it. */
function finalityIfTold(
  ...asked: Parameters<typeof readFinality>
): Promise<Awaited<ReturnType<typeof readFinality>> | undefined> {
  return readFinality(...asked).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'confirm_rpc_unavailable') throw error
    return undefined
  })
}

/**
 * What a transaction did for each leg, by the token's own logs: each leg needs one of its own. That a leg was not paid the batch
 * says, but the event may be anybody's: a token that runs a receiver's code lets it call the contract within our transaction. So
 * the legs that it does not name take their logs first, and a named one for which a log is left is proven neither way.
 */
async function resultsOf(
  client: EvmClient,
  chain: EvmChain,
  { transaction, legs }: SignedBatch,
  receipt: TransactionReceipt,
): Promise<LegResult[]> {
  const unpaid = unpaidIn(chain, receipt)
  const landed = { client, chain, from: transaction.account as Address, receipt, shown: readTransfers(receipt) }
  const results = new Map<PayoutLeg, LegResult>()
  const isNamed = ({ leg }: PayoutLeg): boolean => unpaid.has(leg.position)
  for (const one of legs.filter((other) => !isNamed(other))) {
    const isPaid = await hasPaid(landed, one)
    const reason = `${receipt.transactionHash} landed and does not show its transfer`
    results.set(one, isPaid ? { outcome: 'paid' } : { outcome: 'unproven', reason })
  }
  for (const one of legs.filter(isNamed)) {
    const { leg, payout } = one
    const isShown = await hasPaid(landed, one)
    const refused = `${payout.receiver} cannot be paid ${payout.symbol}: ${unpaid.get(leg.position) ?? ''}`
    const reason = `${receipt.transactionHash} says that ${refused}, and shows its transfer`
    results.set(one, isShown ? { outcome: 'unproven', reason } : { outcome: 'unpaid', reason: refused })
  }
  return legs.flatMap((one) => results.get(one) ?? [])
}

/** The legs that a batch calls unpaid, with the token's reason; of what is no call of the contract, none. */
function unpaidIn({ split }: EvmChain, receipt: TransactionReceipt): ReadonlyMap<number, Hex> {
  const contract = split && payoutBatchAddress(split)
  // A receiver of coins runs code too, and may have the contract name legs in a transaction that is no batch.
  const isBatch = contract && receipt.to && isAddressEqual(receipt.to, contract)
  return isBatch ? readUnpaid(receipt, contract) : new Map()
}

/** A transaction of the treasury in a block, and the transfers of it that were not counted for a payout yet. */
interface Landed {
  client: EvmClient
  chain: EvmChain
  from: Address
  receipt: TransactionReceipt
  shown: ShownTransfer[]
}

/** Whether a transaction shows that it paid a leg. The log that shows it is taken out, so that it counts for one. */
async function hasPaid({ client, chain, from, receipt, shown }: Landed, { leg, payout }: PayoutLeg): Promise<boolean> {
  const asset = findToken(chain, payout.symbol)
  // Its token is not on the chain's list any more: an operator has to look.
  if (!asset) return false
  const value = toBaseUnits(leg.amount, asset.decimals)
  const to = evmAddress(payout.receiver)
  if (!isAddressEqual(receipt.from, from)) return false
  if (asset.kind === 'native') return verifyNativeTransfer(client, receipt, { from, to, value })
  return takeTransfer(shown, { token: asset.address, from, to, value })
}
