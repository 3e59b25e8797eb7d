import { isAddressEqual, type Address, type Hex, type TransactionReceipt } from 'viem'
import { type EvmAsset, type EvmChain, findToken } from '../../../../chains/chain.js'
import {
  isKnown,
  readConfirmation,
  readMinedAt,
  verifyNativeTransfer,
  verifyTransfers,
} from '../../../../chains/evm/confirm.js'
import { readFinality } from '../../../../chains/evm/canonical.js'
import { findSpent } from '../../../../chains/evm/find-spent.js'
import { evmHash, findSentEvm } from '../../../../chains/evm/find-sent.js'
import type { EvmClient } from '../../../../chains/evm/client.js'
import { readNonceUse } from '../../../../chains/evm/find-replacement.js'
import { assertNoNonceGap, hasNonceGap, readNextNonces } from '../../../../chains/evm/nonce-gap.js'
import { broadcast } from '../../../../chains/evm/broadcast.js'
import { verifySigned } from '../../../../chains/evm/verify-signed.js'
import { AppError } from '../../../../kernel/errors.js'
import { toBaseUnits } from '../../../../kernel/money.js'
import type { ChainAccess, ChainWatches } from '../../model/chain-access.js'
import type { EvmUnsignedTransaction } from '../../model/unsigned-transaction.js'
import type { Payment } from '../../store/payment.entity.js'
import type { OnChain, PayerTransactionStatus, SentTransaction } from '../on-chain.js'
import { destinationOf } from './destination.js'
import { receivedFromRouter } from './receive.js'

type EvmDeps = Omit<ChainAccess, 'solanaClient'> & Pick<ChainWatches, 'evmWatch'>

/** A transaction that the chain does not know after this, and whose nonce is used, was replaced by another. */
const DROPPED_AFTER_MS = 600_000

/** The signed side of EVM chains. */
export function evmOnChain(deps: EvmDeps): OnChain {
  const chainOf = (name: string): EvmChain => {
    const chain = deps.settings.chains.find((candidate) => candidate.name === name)
    if (chain?.family !== 'evm') throw new AppError('invalid_chain')
    return chain
  }
  return {
    verifySigned: (payment, raw) => {
      const unsigned = unsignedOf(payment)
      return verifySigned(chainOf(unsigned.chainName), unsigned.transactionRequest, raw)
    },
    hashIn: evmHash,
    findSent: (chainName, hash) => findSentEvm(deps.evmClient(chainOf(chainName)), hash as Hex),
    isKnown: (chainName, hash) => isKnown(deps.evmClient(chainOf(chainName)), hash as Hex),
    minedAt: async (chainName, { hash, raw }) => {
      const client = deps.evmClient(chainOf(chainName))
      const at = await readMinedAt(client, hash as Hex)
      if (at) return at
      const use = await readNonceUse(client, chainOf(chainName), raw as Hex)
      return use.kind === 'replacement' ? readMinedAt(client, use.hash) : undefined
    },
    isReplaced: async (chainName, raw) => {
      const chain = chainOf(chainName)
      return (await readNonceUse(deps.evmClient(chain), chain, raw as Hex)).kind === 'taken'
    },
    checkNonce: (payment, { hash, raw }) => {
      const { chainName, transactionRequest } = unsignedOf(payment)
      const built = transactionRequest
      return assertNoNonceGap(deps.evmClient(chainOf(chainName)), built, { hash: hash as Hex, raw: raw as Hex })
    },
    send: async ({ chainName, raw }) => (await broadcast(deps.evmClient(chainOf(chainName)), raw as Hex)).kind,
    watch: ({ chainName, hash }) => deps.evmWatch(chainOf(chainName)).start(hash),
    retrieve: (payment, hash, ageMs) =>
      retrieve(deps, chainOf(unsignedOf(payment).chainName), payment, hash as Hex, ageMs),
    finalityOf: (stored, hash) =>
      finalityOf(deps.evmClient(chainOf(stored.chainName)), chainOf(stored.chainName), stored, hash),
    sendAgain: async ({ chainName, raw }) => {
      await broadcast(deps.evmClient(chainOf(chainName)), raw as Hex).catch((error: unknown) => {
        if (!(error instanceof AppError) || error.code === 'confirm_rpc_unavailable') throw error
      })
    },
    mayBePaid: async (payment) => {
      const { chainName, transactionRequest } = unsignedOf(payment)
      const from = transactionRequest.from as Address
      return (await readNextNonces(deps.evmClient(chainOf(chainName)), from)) > transactionRequest.nonce
    },
    findSpent: (payment, builtAt, place) => {
      const { chainName, transactionRequest } = unsignedOf(payment)
      const chain = chainOf(chainName)
      const { from, nonce } = transactionRequest
      const asset = findToken(chain, payment.payerTokenSymbol ?? '')
      const token = asset?.kind === 'token' ? asset.address : undefined
      return findSpent(deps.evmClient(chain), chain, { from: from as Address, nonce, token, builtAt }, place)
    },
    settlementOf: (payment) => {
      const unsigned = unsignedOf(payment)
      const destination = destinationOf(deps, payment, unsigned.chainName)
      if (unsigned.meta.source === 'router' && destination.chain.name !== unsigned.chainName) return { kind: 'route' }
      return { kind: destination.split ? 'split' : 'done' }
    },
  }
}

async function retrieve(
  deps: EvmDeps,
  chain: EvmChain,
  payment: Payment,
  hash: Hex,
  ageMs: number,
): Promise<PayerTransactionStatus> {
  const client = deps.evmClient(chain)
  const confirmation = deps.evmWatch(chain).seen(hash) ?? (await readConfirmation(client, chain, hash))
  if (confirmation.state === 'unknown') return retrieveReplacement(deps, chain, { payment, hash, ageMs })
  if (confirmation.state === 'reverted') {
    return { kind: 'failed', code: 'transaction_reverted', message: 'The transaction was reverted on chain.' }
  }
  if (confirmation.state === 'pending' && (await isStuck(client, payment, ageMs))) return { kind: 'unknown' }
  if (confirmation.state !== 'confirmed') return { kind: 'waiting' }
  if (await hasPaid(deps, chain, payment, confirmation.receipt)) return { kind: 'paid', hash }
  return { kind: 'failed', code: 'transfer_mismatch', message: 'The transaction did not move what was asked for.' }
}

/** How long a transaction is left alone that a node's pool holds. */
const POOL_GRACE_MS = 60_000
/** Nodes drop what has waited longer than this (geth: --txpool.lifetime, 3 h); we do not wait for it any more. */
const POOL_LIFE_MS = 3 * 3_600_000

/** Whether a transaction that waits in a pool may wait for ever: behind a nonce that nobody has sent, or for too long. */
async function isStuck(client: EvmClient, { signedTransaction }: Payment, ageMs: number): Promise<boolean> {
  if (ageMs > POOL_LIFE_MS) return true
  if (ageMs < POOL_GRACE_MS || !signedTransaction) return false
  return hasNonceGap(client, signedTransaction as Hex)
}

/** What has become of a transaction that was confirmed. */
async function finalityOf(
  client: EvmClient,
  chain: EvmChain,
  { raw }: SentTransaction,
  hash: string,
): Promise<'final' | 'waiting' | 'missing' | 'replaced'> {
  const confirmation = await readConfirmation(client, chain, hash as Hex)
  if ('receipt' in confirmation) {
    const { blockNumber, receipt } = confirmation
    const { final, hashAt } = await readFinality(client, chain, [blockNumber])
    return blockNumber <= final && hashAt(blockNumber) === receipt.blockHash ? 'final' : 'waiting'
  }
  const use = await readNonceUse(client, chain, raw as Hex)
  if (use.kind === 'replacement') return 'waiting'
  return use.kind === 'taken' ? 'replaced' : 'missing'
}

/** What became of a transaction that the chain does not know: by its own nonce, which a wallet chooses itself. */
async function retrieveReplacement(
  deps: EvmDeps,
  chain: EvmChain,
  { payment, hash, ageMs }: { payment: Payment; hash: Hex; ageMs: number },
): Promise<PayerTransactionStatus> {
  if (!payment.signedTransaction) return { kind: 'unknown' }
  const use = await readNonceUse(deps.evmClient(chain), chain, payment.signedTransaction as Hex)
  if (use.kind === 'replacement') {
    return use.hash === hash ? { kind: 'unknown' } : retrieve(deps, chain, payment, use.hash, ageMs)
  }
  if (use.kind === 'free' || ageMs <= DROPPED_AFTER_MS) return { kind: 'unknown' }
  const message = "Another transaction of the payer took this one's place."
  return { kind: 'failed', code: 'transaction_dropped', message }
}

/** Whether a receipt shows the transfers that the payment's transaction was built for. */
async function hasPaid(
  deps: EvmDeps,
  chain: EvmChain,
  payment: Payment,
  receipt: TransactionReceipt,
): Promise<boolean> {
  const unsigned = unsignedOf(payment)
  const destination = destinationOf(deps, payment, chain.name)
  const amount = toBaseUnits(payment.amountTo ?? '0', destination.asset.decimals)
  if (unsigned.meta.source === 'router') {
    // What arrives on another chain is looked for there, see `readArrival`.
    if (destination.chain.name !== chain.name) return true
    const expected = { asset: destination.asset as EvmAsset, address: destination.address, amount }
    return receivedFromRouter(deps.evmClient(chain), receipt, expected)
  }
  const asset = findToken(chain, payment.toCurrencySymbol)
  const from = unsigned.transactionRequest.from as Address
  const to = destination.address as Address
  if (!isAddressEqual(receipt.from, from) || !asset) return false
  if (asset.kind === 'native') return verifyNativeTransfer(deps.evmClient(chain), receipt, { from, to, value: amount })
  return verifyTransfers(receipt, [{ token: asset.address, from, to, value: amount }])
}

function unsignedOf(payment: Payment): EvmUnsignedTransaction {
  const unsigned = payment.unsignedTransaction
  if (unsigned?.family !== 'evm') throw new AppError('missing_unsigned_transaction')
  return unsigned
}
