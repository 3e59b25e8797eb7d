import type { SolanaChain } from '../../../../chains/chain.js'
import type { SignedAttempt } from '../../../../chains/solana/absence.js'
import {
  hasTransactions,
  isKnown,
  readConfirmation,
  readLandedAt,
  verifyTransfer,
} from '../../../../chains/solana/confirm.js'
import { findSentSolana, solanaSignature } from '../../../../chains/solana/find-sent.js'
import { broadcast } from '../../../../chains/solana/broadcast.js'
import { verifySigned } from '../../../../chains/solana/verify-signed.js'
import { AppError } from '../../../../kernel/errors.js'
import { toBaseUnits } from '../../../../kernel/money.js'
import type { ChainAccess } from '../../model/chain-access.js'
import type { SolanaUnsignedTransaction } from '../../model/unsigned-transaction.js'
import type { Payment } from '../../store/payment.entity.js'
import type { OnChain, PayerTransactionStatus } from '../on-chain.js'
import { destinationOf } from './destination.js'
import { sharesOf } from './start-solana.js'

type SolanaDeps = Omit<ChainAccess, 'evmClient'>

/** The signed side of Solana: one transaction pays every receiver, so nothing is left to settle after it. */
export function solanaOnChain(deps: SolanaDeps): OnChain {
  const chainOf = (name: string): SolanaChain => {
    const chain = deps.settings.chains.find((candidate) => candidate.name === name)
    if (chain?.family !== 'solana') throw new AppError('invalid_chain')
    return chain
  }
  return {
    verifySigned: async (payment, raw) => {
      const unsigned = unsignedOf(payment)
      chainOf(unsigned.chainName)
      const signed = verifySigned(unsigned, raw)
      return { hash: signed.signature, raw: signed.raw }
    },
    hashIn: solanaSignature,
    findSent: (chainName, hash) => findSentSolana(deps.solanaClient(chainOf(chainName)), hash),
    isKnown: (chainName, hash) => isKnown(deps.solanaClient(chainOf(chainName)), hash),
    minedAt: (chainName, { hash }) => readLandedAt(deps.solanaClient(chainOf(chainName)), hash),
    isReplaced: () => Promise.resolve(true),
    // There are no nonces on Solana.
    checkNonce: () => Promise.resolve(),
    send: async ({ chainName, hash, raw }, payment) => {
      const attempt = async () => {
        const built = await payment()
        if (!built) throw new AppError('payment_not_found')
        return attemptOf(unsignedOf(built), hash)
      }
      return (await broadcast(deps.solanaClient(chainOf(chainName)), raw, attempt)).kind
    },
    retrieve: (payment, hash) => retrieve(deps, chainOf(unsignedOf(payment).chainName), payment, hash),
    // What is confirmed there is not dropped any more, and cannot be sent again after its blockhash.
    finalityOf: () => Promise.resolve('final'),
    sendAgain: () => Promise.resolve(),
    mayBePaid: (payment) => {
      const { chainName, reference } = unsignedOf(payment)
      return hasTransactions(deps.solanaClient(chainOf(chainName)), reference)
    },
    settlementOf: () => ({ kind: 'done' }),
  }
}

async function retrieve(
  deps: SolanaDeps,
  chain: SolanaChain,
  payment: Payment,
  hash: string,
): Promise<PayerTransactionStatus> {
  const client = deps.solanaClient(chain)
  const unsigned = unsignedOf(payment)
  const confirmation = await readConfirmation(client, chain, attemptOf(unsigned, hash))
  switch (confirmation.state) {
    case 'unknown':
      return { kind: 'unknown' }
    case 'confirming':
      return { kind: 'waiting' }
    case 'expired':
    case 'missing':
      // The payer's wallet signs again, not we: what only nodes' histories tell is enough, and it is looked for later.
      return {
        kind: 'failed',
        code: 'transaction_dropped',
        message: 'The blockhash expired before the transaction was in a block.',
      }
    case 'failed':
      return { kind: 'failed', code: 'transaction_reverted', message: 'The transaction failed on chain.' }
    case 'confirmed':
      return judge(deps, payment, unsigned, hash)
  }
}

/** Whether the transaction moved what it was built to move, as the chain's balances show it. */
async function judge(
  deps: SolanaDeps,
  payment: Payment,
  { chainName, feePayer, reference }: SolanaUnsignedTransaction,
  hash: string,
): Promise<PayerTransactionStatus> {
  const destination = destinationOf(deps, payment, chainName)
  const { asset, chain } = destination
  if (chain.family !== 'solana') throw new AppError('invalid_chain')
  const shares = sharesOf(destination, toBaseUnits(payment.amountTo ?? '0', asset.decimals))
  const hasPaid = await verifyTransfer(deps.solanaClient(chain), hash, { from: feePayer, asset, shares, reference })
  if (hasPaid === undefined) return { kind: 'waiting' }
  if (hasPaid) return { kind: 'paid', hash }
  return { kind: 'failed', code: 'transfer_mismatch', message: 'The transaction did not move what was asked for.' }
}

function attemptOf({ lastValidBlockHeight, reference }: SolanaUnsignedTransaction, signature: string): SignedAttempt {
  return { signature, lastValidBlockHeight, reference }
}

function unsignedOf(payment: Payment): SolanaUnsignedTransaction {
  const unsigned = payment.unsignedTransaction
  if (unsigned?.family !== 'solana') throw new AppError('missing_unsigned_transaction')
  return unsigned
}
