import { erc20Abi, isAddressEqual, parseTransaction, type Address, type Hex, type TransactionReceipt } from 'viem'
import { findToken, type Chain, type EvmAsset, type EvmChain } from '../../../chains/chain.js'
import type { EvmClient } from '../../../chains/evm/client.js'
import { isKnown, readConfirmation, verifyNativeTransfer, verifyTransfers } from '../../../chains/evm/confirm.js'
import { estimateGasLimit, readFees, readGasCap, type Fees } from '../../../chains/evm/fees.js'
import { readNextNonce, signOperatorTransaction, type Signer } from '../../../chains/evm/operator.js'
import { relay } from '../../../chains/evm/relay.js'
import { cancelTransaction, isCancellation, isLastingRefusal, raiseFees } from '../../../chains/evm/replace.js'
import { ask } from '../../../chains/evm/rpc.js'
import { paymentReference } from '../../../chains/evm/split.js'
import { transferCall, type EvmCall } from '../../../chains/evm/transfer-call.js'
import { AppError } from '../../../kernel/errors.js'
import { fromBaseUnits, toBaseUnits } from '../../../kernel/money.js'
import type { Payout } from '../store/payout.entity.js'
import type { SignedPayout } from '../store/payouts.js'
import type { PayoutChain, Preparation, PreparedPayout, Sighting } from './payout-chain.js'

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
        return { kind: (await relay(clientOf(chain), raw as Hex)).kind }
      } catch (error) {
        if (!(error instanceof AppError) || error.code === 'confirm_rpc_unavailable') throw error
        // Another version took the nonce, or something else did: the chain has the last word, when it is asked.
        if (error.code === 'stale_transaction_nonce') return { kind: 'unknown' }
        const reason = error.details ?? error.message
        return { kind: 'refused', reason, isLasting: isLastingRefusal(reason) }
      }
    },
    look: (chain, open) => look(clientOf(chain), evm(chain), signer.address, open),
    nonces: {
      raiseFees: (chain, { raw }) => raiseFees(clientOf(chain), signer, raw as Hex),
      free: (chain, { raw }) => cancelTransaction(clientOf(chain), signer, raw as Hex),
      isFreed: ({ raw }) => isCancellation(raw as Hex, signer.address),
    },
  }
}

async function prepare(
  client: EvmClient,
  signer: Signer,
  chain: EvmChain,
  { payouts, open, nextNonce }: Parameters<PayoutChain['prepare']>[1],
): Promise<Preparation> {
  const planned = payouts.map((payout) => planCall(chain, payout))
  const [fees, gasCap, onChain, means] = await Promise.all([
    readFees(client),
    readGasCap(client),
    readNextNonce(client, signer.address),
    readMeans(client, chain, signer.address, planned),
  ])
  reserve(chain, means, open)
  const estimates = await Promise.all(planned.map(({ call }) => estimate(client, signer.address, call)))
  const short: Payout[] = []
  const failing: { payout: Payout; reason: string }[] = []
  const signed: Promise<PreparedPayout>[] = []
  let nonce = Math.max(onChain, nextNonce)
  for (const [index, { payout, call, assetKey, units }] of planned.entries()) {
    const gas = withinCap(estimates[index], assetKey, gasCap)
    const left = means.get(assetKey) ?? 0n
    const gasCost = typeof gas === 'bigint' ? gas * fees.maxFeePerGas : 0n
    const native = (means.get(NATIVE) ?? 0n) - gasCost - call.value
    if (left < units || native < 0n) short.push(payout)
    else if (typeof gas !== 'bigint') failing.push({ payout, reason: gas })
    else {
      if (assetKey !== NATIVE) means.set(assetKey, left - units)
      means.set(NATIVE, native)
      signed.push(sign(signer, chain, payout, { ...call, ...fees, gas, nonce }))
      nonce += 1
    }
  }
  return { prepared: await Promise.all(signed), short, failing }
}

const NATIVE = 'native'

/** The gas limit again, or why the treasury does not send with it: a node would refuse it, or a receiver burns it. */
function withinCap(gas: bigint | string = 'no estimate', assetKey: string, gasCap: bigint): bigint | string {
  const cap = assetKey === NATIVE && NATIVE_GAS_MAX < gasCap ? NATIVE_GAS_MAX : gasCap
  return typeof gas === 'bigint' && gas > cap ? `it needs ${gas} gas, more than ${cap}` : gas
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

/** What the treasury holds: of each token that is wanted, and of the native coin. */
async function readMeans(
  client: EvmClient,
  chain: EvmChain,
  account: Address,
  planned: readonly PlannedCall[],
): Promise<Map<string, bigint>> {
  const tokens = new Map(planned.map(({ payout }) => [payout.symbol, assetOf(chain, payout)]))
  const balances = await Promise.all([
    ask('build', () => client.getBalance({ address: account })).then((balance) => [NATIVE, balance] as const),
    ...[...tokens.values()].flatMap((asset) =>
      asset.kind === 'native'
        ? []
        : [
            ask('build', () =>
              client.readContract({
                address: asset.address,
                abi: erc20Abi,
                functionName: 'balanceOf',
                args: [account],
              }),
            ).then((balance) => [asset.address as string, balance] as const),
          ],
    ),
  ])
  return new Map(balances)
}

/** Takes off what transactions that have not landed yet will take; of an attempt with several versions once. */
function reserve(chain: EvmChain, means: Map<string, bigint>, open: readonly SignedPayout[]): void {
  for (const { payout, transaction } of open) {
    if (transaction.version > 0) continue
    const asset = assetOf(chain, payout)
    const { gas = 0n, maxFeePerGas = 0n } = parseTransaction(transaction.raw as Hex)
    const take = (key: string, units: bigint): void => {
      const left = (means.get(key) ?? 0n) - units
      means.set(key, left > 0n ? left : 0n)
    }
    take(keyOf(asset), toBaseUnits(payout.amount, asset.decimals))
    take(NATIVE, gas * maxFeePerGas)
  }
}

/** The gas that a call needs, or the chain's reason why it would fail. */
async function estimate(client: EvmClient, from: Address, call: EvmCall): Promise<bigint | string> {
  try {
    return await estimateGasLimit(client, from, call)
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
  const { hash, raw } = await signOperatorTransaction(signer, { ...transaction, chainId })
  return { payout, hash, raw, nonce: transaction.nonce, validUntil: null }
}

async function look(
  client: EvmClient,
  chain: EvmChain,
  account: Address,
  open: readonly SignedPayout[],
): Promise<Sighting[]> {
  const used = await ask('confirm', () => client.getTransactionCount({ address: account, blockTag: 'latest' }))
  const nonces = [...new Set(open.map(({ transaction }) => transaction.nonce ?? 0))]
  const sightings = await Promise.all(
    nonces.map(async (nonce): Promise<Sighting[]> => {
      const versions = open.filter(({ transaction }) => transaction.nonce === nonce)
      if (nonce < used) return lookAtUsed(client, chain, account, versions)
      const newest = versions.at(-1)
      if (!newest) return []
      const state = (await isKnown(client, newest.transaction.hash as Hex)) ? 'waiting' : 'unknown'
      return [{ signed: newest, state }]
    }),
  )
  return sightings.flat()
}

/** Of the versions of a nonce that the chain has used up, one has landed, unless the key is used elsewhere too. */
async function lookAtUsed(
  client: EvmClient,
  chain: EvmChain,
  account: Address,
  versions: readonly SignedPayout[],
): Promise<Sighting[]> {
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
    if (state === 'reverted' || hasFreed) return [{ signed, state: 'failed', fee }]
    if (await hasPaid(client, chain, account, signed.payout, receipt)) return [{ signed, state: 'confirmed', fee }]
    return [{ signed, state: 'odd', reason: 'the transaction landed and does not show its transfer' }]
  }
  const [signed] = versions
  return signed ? [{ signed, state: 'odd', reason: 'another transaction took its nonce' }] : []
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

function assetOf(chain: EvmChain, { symbol }: Payout): EvmAsset {
  const asset = findToken(chain, symbol)
  if (!asset) throw new Error(`${symbol} is not enabled on ${chain.name} any more`)
  return asset
}

function keyOf(asset: EvmAsset): string {
  return asset.kind === 'native' ? NATIVE : asset.address
}
