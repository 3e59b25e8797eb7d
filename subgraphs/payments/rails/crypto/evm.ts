import { isAddressEqual, type Address, type Hex, type TransactionReceipt } from 'viem'
import { type EvmAsset, type EvmChain, findToken } from '../../../../chains/chain.js'
import { readMinedAt, verifyNativeTransfer, verifyTransfers } from '../../../../chains/evm/confirm.js'
import { findSpent } from '../../../../chains/evm/find-spent.js'
import { evmHash, findSentEvm } from '../../../../chains/evm/find-sent.js'
import { readNonceUse } from '../../../../chains/evm/find-replacement.js'
import { assertNonce } from '../../../../chains/evm/free-nonce.js'
import { maySpend } from '../../../../chains/evm/may-spend.js'
import { verifySigned } from '../../../../chains/evm/verify-signed.js'
import { endOfEvm, retrieveEvm, sendableEvm, sendAgain, type EvmStatus } from '../../../../chains/sender/evm-signed.js'
import { followLandedEvm, type LandedLook } from '../../../../chains/sender/landed-evm.js'
import { AppError } from '../../../../kernel/errors.js'
import { toBaseUnits } from '../../../../kernel/money.js'
import type { ChainAccess, ChainWatches } from '../../model/chain-access.js'
import type { EvmUnsignedTransaction } from '../../model/unsigned-transaction.js'
import type { Payment } from '../../store/payment.entity.js'
import type { OnChain, PayerTransactionStatus } from '../on-chain.js'
import { destinationOf } from './destination.js'
import { receivedFromRouter } from './receive.js'

type EvmDeps = Omit<ChainAccess, 'solanaClient'> & Pick<ChainWatches, 'evmWatch'>

/** The signed side of EVM chains. */
export function evmOnChain(deps: EvmDeps): OnChain {
  const chainOf = (name: string): EvmChain => {
    const chain = deps.settings.chains.find((candidate) => candidate.name === name)
    if (chain?.family !== 'evm') throw new AppError('invalid_chain')
    return chain
  }
  const looks = new Map<string, LandedLook>()
  const landedOn = (chain: EvmChain): LandedLook => {
    const look = looks.get(chain.name) ?? followLandedEvm(deps.evmClient(chain), chain)
    looks.set(chain.name, look)
    return look
  }
  return {
    verifySigned: (payment, raw) => {
      const unsigned = unsignedOf(payment)
      return verifySigned(chainOf(unsigned.chainName), unsigned.transactionRequest, raw)
    },
    hashIn: evmHash,
    findSent: (chainName, hash) => findSentEvm(deps.evmClient(chainOf(chainName)), hash as Hex),
    minedAt: async (chainName, { hash, raw }) => {
      const client = deps.evmClient(chainOf(chainName))
      const at = await readMinedAt(client, hash as Hex)
      if (at) return at
      const use = await readNonceUse(client, chainOf(chainName), raw as Hex)
      return use.kind === 'replacement' ? readMinedAt(client, use.hash) : undefined
    },
    checkNonce: (payment, signed, paidWith) => {
      const { chainName, transactionRequest } = unsignedOf(payment)
      const built = transactionRequest
      const { hash, raw } = signed as { hash: Hex; raw: Hex }
      return assertNonce(deps.evmClient(chainOf(chainName)), built, { hash, raw }, paidWith as readonly Hex[])
    },
    sendable: ({ chainName, hash, raw }) =>
      sendableEvm(deps.evmClient(chainOf(chainName)), chainOf(chainName), { hash: hash as Hex, raw: raw as Hex }),
    watch: ({ chainName, hash }) => deps.evmWatch(chainOf(chainName)).start(hash),
    isInBlock: async ({ chainName, hash }) => (await deps.evmWatch(chainOf(chainName)).look(hash)) !== undefined,
    retrieveWatched: async (payment, { chainName, hash }) => {
      const chain = chainOf(chainName)
      const seen = await deps.evmWatch(chain).look(hash)
      return seen === 'confirming' ? { kind: 'waiting' } : seen && judge(deps, chain, payment, endOfEvm(hash, seen))
    },
    retrieve: async (payment, { chainName, hash, raw }, ageMs) => {
      const chain = chainOf(chainName)
      const look = { client: deps.evmClient(chain), chain, seen: deps.evmWatch(chain).seen }
      const signed = { hash: hash as Hex, raw: raw as Hex, ageMs }
      return judge(deps, chain, payment, await retrieveEvm(look, signed))
    },
    finalityOf: ({ chainName, raw }, hash) => landedOn(chainOf(chainName))(raw as Hex, hash as Hex),
    sendAgain: ({ chainName, raw }) => sendAgain(deps.evmClient(chainOf(chainName)), raw as Hex),
    mayBePaid: (payment) => {
      const unsigned = unsignedOf(payment)
      return maySpend(deps.evmClient(chainOf(unsigned.chainName)), unsigned.transactionRequest, unsigned.minedNonce)
    },
    findSpent: (payment, builtAt, place) => {
      const { chainName, transactionRequest, minedNonce } = unsignedOf(payment)
      const chain = chainOf(chainName)
      const { from, nonce: next } = transactionRequest
      const nonce = minedNonce ?? next
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

/** Whether what has landed moved what it was built to move. */
async function judge(
  deps: EvmDeps,
  chain: EvmChain,
  payment: Payment,
  status: EvmStatus,
): Promise<PayerTransactionStatus> {
  if (status.kind !== 'landed') return status
  if (await hasPaid(deps, chain, payment, status.receipt)) return { kind: 'paid', hash: status.hash }
  return { kind: 'failed', code: 'transfer_mismatch', message: 'The transaction did not move what was asked for.' }
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
