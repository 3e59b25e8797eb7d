import { isAddressEqual, type Address, type Hex, type TransactionReceipt } from 'viem'
import type { Chain, EvmChain } from '../../../chains/chain.js'
import { readFinality } from '../../../chains/evm/canonical.js'
import type { EvmClient } from '../../../chains/evm/client.js'
import { isKnown, readConfirmation, verifyNativeTransfer, verifyTransfers } from '../../../chains/evm/confirm.js'
import { estimateGasLimit, readFees, readGasCap, type Fees } from '../../../chains/evm/fees.js'
import { isNonceTaken } from '../../../chains/evm/nonce-taken.js'
import { readNextNonce, signTransaction, type Signer } from '../../../chains/evm/signer.js'
import { broadcast } from '../../../chains/evm/broadcast.js'
import { cancelTransaction, isCancellation, isLastingRefusal, raiseFees } from '../../../chains/evm/replace.js'
import { ask } from '../../../chains/evm/rpc.js'
import { paymentReference } from '../../../chains/evm/split.js'
import { transferCall, type EvmCall } from '../../../chains/evm/transfer-call.js'
import { AppError } from '../../../kernel/errors.js'
import { fromBaseUnits, toBaseUnits } from '../../../kernel/money.js'
import type { Payout } from '../store/payout.entity.js'
import type { SignedPayout } from '../store/payouts.js'
import { assetOf, keyOf, NATIVE, readBalances, reserve } from './evm-balances.js'
import type { PayoutChain, Preparation, PreparedPayout, TransactionStatus } from './payout-chain.js'

/** What the treasury on EVM chains is made of. */
export interface EvmPayoutsOptions {
  signer: Signer
  evmClient: (chain: EvmChain) => EvmClient
}

/** A payout as a call of the treasury's, with what it moves. */
interface PlannedCall {
  payout: Payout
  call: EvmCall
  assetKey: string
  units: bigint
}

/**
 * What the native coin may cost to a receiver that is a contract: its code runs at the treasury's cost. A smart wallet
 * takes some 10,000 on top of the 21,000 of a transfer.
 */
const NATIVE_GAS_MAX = 100_000n

/** The treasury on EVM chains: one transaction per receiver, with the payment's reference behind its calldata. */
export function evmPayouts(options: EvmPayoutsOptions): PayoutChain {
  const { signer } = options
  const clientOf = (chain: Chain): EvmClient => options.evmClient(evm(chain))
  return {
    account: signer.address,
    prepare: (chain, wanted) => prepare(clientOf(chain), signer, evm(chain), wanted),
    send: async (chain, raw) => {
      try {
        return { kind: (await broadcast(clientOf(chain), raw as Hex)).kind }
      } catch (error) {
        if (!(error instanceof AppError) || error.code === 'confirm_rpc_unavailable') throw error
        // Another version took the nonce, or something else did: the chain has the last word, when it is asked.
        if (error.code === 'stale_transaction_nonce') return { kind: 'unknown' }
        const reason = error.details ?? error.message
        return { kind: 'refused', reason, isLasting: isLastingRefusal(reason) }
      }
    },
    retrieve: (chain, open) => retrieveOpen(clientOf(chain), evm(chain), signer.address, open),
    nonces: {
      raiseFees: (chain, { raw }) => raiseFees(clientOf(chain), signer, raw as Hex),
      free: (chain, { raw }) => cancelTransaction(clientOf(chain), signer, raw as Hex),
      isFreed: ({ raw }) => isCancellation(raw as Hex, signer.address),
    },
    finality: {
      countUsed: (chain) => countUsed(clientOf(chain), signer.address),
      read: async (chain, blockNumbers) => {
        const { final, hashAt } = await readFinality(clientOf(chain), evm(chain), blockNumbers.map(BigInt))
        return { final: Number(final), hashAt: (blockNumber) => hashAt(BigInt(blockNumber)) }
      },
    },
  }
}

/** The higher of two counts: of two nodes one may be behind. */
async function countUsed(client: EvmClient, address: Address): Promise<number> {
  const count = (): Promise<number> => ask('confirm', () => client.getTransactionCount({ address, blockTag: 'latest' }))
  return Math.max(...(await Promise.all([count(), count()])))
}

async function prepare(
  client: EvmClient,
  signer: Signer,
  chain: EvmChain,
  { payouts, open, nextNonce, newestBlock }: Parameters<PayoutChain['prepare']>[1],
): Promise<Preparation> {
  const planned = payouts.map((payout) => planCall(chain, payout))
  const [fees, gasCap, onChain, balances] = await Promise.all([
    readFees(client),
    readGasCap(client),
    readNextNonce(client, signer.address),
    readBalances(client, chain, { account: signer.address, newestBlock }, payouts),
  ])
  reserve(chain, balances, open)
  const estimates = await Promise.all(
    planned.map(({ call, assetKey }) => estimate(client, signer.address, call, capOf(assetKey, gasCap))),
  )
  const insufficientFunds: Payout[] = []
  const failing: { payout: Payout; reason: string }[] = []
  const signed: Promise<PreparedPayout>[] = []
  let nonce = Math.max(onChain, nextNonce)
  for (const [index, { payout, call, assetKey, units }] of planned.entries()) {
    const gas = withinCap(estimates[index], assetKey, gasCap)
    const left = balances.get(assetKey) ?? 0n
    const gasCost = typeof gas === 'bigint' ? gas * fees.maxFeePerGas : 0n
    const native = (balances.get(NATIVE) ?? 0n) - gasCost - call.value
    if (left < units || native < 0n) insufficientFunds.push(payout)
    else if (typeof gas !== 'bigint') failing.push({ payout, reason: gas })
    else {
      if (assetKey !== NATIVE) balances.set(assetKey, left - units)
      balances.set(NATIVE, native)
      signed.push(sign(signer, chain, payout, { ...call, ...fees, gas, nonce }))
      nonce += 1
    }
  }
  return { prepared: await Promise.all(signed), insufficientFunds, failing }
}

/** The gas limit again, or why the treasury does not send with it: a node would refuse it, or a receiver burns it. */
function withinCap(gas: bigint | string = 'no estimate', assetKey: string, gasCap: bigint): bigint | string {
  const cap = capOf(assetKey, gasCap)
  return typeof gas === 'bigint' && gas > cap ? `it needs ${gas} gas, more than ${cap}` : gas
}

function capOf(assetKey: string, gasCap: bigint): bigint {
  return assetKey === NATIVE && NATIVE_GAS_MAX < gasCap ? NATIVE_GAS_MAX : gasCap
}

function planCall(chain: EvmChain, payout: Payout): PlannedCall {
  const asset = assetOf(chain, payout)
  const units = toBaseUnits(payout.amount, asset.decimals)
  const call = transferCall({
    asset,
    to: payout.receiver as Address,
    amount: units,
    reference: paymentReference(payout.paymentId),
  })
  return { payout, call, assetKey: keyOf(asset), units }
}

/** The gas that a call needs, or the chain's reason why it would fail. */
async function estimate(client: EvmClient, from: Address, call: EvmCall, cap: bigint): Promise<bigint | string> {
  try {
    return await estimateGasLimit(client, from, call, cap)
  } catch (error) {
    if (error instanceof AppError && error.code === 'broadcast_simulation_failed') return error.details ?? 'it reverts'
    throw error
  }
}

async function sign(
  signer: Signer,
  { chainId }: EvmChain,
  payout: Payout,
  transaction: EvmCall & Fees & { gas: bigint; nonce: number },
): Promise<PreparedPayout> {
  const { hash, raw } = await signTransaction(signer, { ...transaction, chainId })
  return { payout, hash, raw, nonce: transaction.nonce, validUntil: null }
}

async function retrieveOpen(
  client: EvmClient,
  chain: EvmChain,
  account: Address,
  open: readonly SignedPayout[],
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
 * payout is to be signed with another nonce then.
 */
async function retrieveUsed(
  client: EvmClient,
  chain: EvmChain,
  account: Address,
  versions: readonly SignedPayout[],
): Promise<TransactionStatus[]> {
  for (const signed of versions) {
    const confirmation = await readConfirmation(client, chain, signed.transaction.hash as Hex)
    if (confirmation.state === 'confirming') return []
    if (confirmation.state !== 'confirmed' && confirmation.state !== 'reverted') continue
    const { receipt, state } = confirmation
    const fee = {
      amount: fromBaseUnits(receipt.gasUsed * receipt.effectiveGasPrice, chain.nativeCoin.decimals),
      currency: chain.nativeCoin.symbol,
    }
    const hasFreed = isCancellation(signed.transaction.raw as Hex, account)
    if (state === 'reverted' || hasFreed) {
      return (await isFinal(client, chain, receipt)) ? [{ signed, state: 'failed', fee }] : []
    }
    if (await hasPaid(client, chain, account, signed.payout, receipt)) {
      const block = { number: Number(receipt.blockNumber), hash: receipt.blockHash }
      return [{ signed, state: 'confirmed', fee, block }]
    }
    return [{ signed, state: 'unexpected', reason: 'the transaction landed and does not show its transfer' }]
  }
  const [signed] = versions
  const nonce = signed?.transaction.nonce ?? 0
  const hashes = versions.map(({ transaction }) => transaction.hash as Hex)
  if (!signed || !(await isNonceTaken(client, chain, { account, nonce, hashes }))) return []
  return [{ signed, state: 'unexpected', reason: 'another transaction took its nonce' }]
}

async function isFinal(client: EvmClient, chain: EvmChain, receipt: TransactionReceipt): Promise<boolean> {
  const { final, hashAt } = await readFinality(client, chain, [receipt.blockNumber])
  return receipt.blockNumber <= final && hashAt(receipt.blockNumber) === receipt.blockHash
}

function hasPaid(
  client: EvmClient,
  chain: EvmChain,
  from: Address,
  payout: Payout,
  receipt: TransactionReceipt,
): Promise<boolean> | boolean {
  const asset = assetOf(chain, payout)
  const value = toBaseUnits(payout.amount, asset.decimals)
  const to = payout.receiver as Address
  if (!isAddressEqual(receipt.from, from)) return false
  if (asset.kind === 'native') return verifyNativeTransfer(client, receipt, { from, to, value })
  return verifyTransfers(receipt, [{ token: asset.address, from, to, value }])
}

function evm(chain: Chain): EvmChain {
  if (chain.family !== 'evm') throw new Error(`${chain.name} is no EVM chain`)
  return chain
}
