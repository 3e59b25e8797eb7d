import type { SolanaChain } from '../../../../chains/chain.js'
import { isKnown, readConfirmation, verifyTransfer } from '../../../../chains/solana/confirm.js'
import { relay } from '../../../../chains/solana/relay.js'
import { verifySigned } from '../../../../chains/solana/verify-signed.js'
import { AppError } from '../../../../kernel/errors.js'
import { toBaseUnits } from '../../../../kernel/money.js'
import type { PaymentsDeps } from '../../deps.js'
import type { Payment, SolanaUnsignedTransaction } from '../../store/payment.entity.js'
import { destinationOf } from './destination.js'
import type { OnChain, PayerOutcome } from './on-chain.js'
import { sharesOf } from './start-solana.js'

type SolanaDeps = Pick<PaymentsDeps, 'settings' | 'solanaClient'>

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
    isKnown: (chainName, hash) => isKnown(deps.solanaClient(chainOf(chainName)), hash),
    // A quote outlives a blockhash, and a signature is of one message: neither lateness nor another hash can come about.
    minedAt: () => Promise.resolve(undefined),
    hasTwin: () => Promise.resolve(false),
    send: async (chainName, raw) => (await relay(deps.solanaClient(chainOf(chainName)), raw)).kind,
    look: (payment, hash) => look(deps, chainOf(unsignedOf(payment).chainName), payment, hash),
    settlementOf: () => ({ kind: 'done' }),
  }
}

async function look(deps: SolanaDeps, chain: SolanaChain, payment: Payment, hash: string): Promise<PayerOutcome> {
  const client = deps.solanaClient(chain)
  const unsigned = unsignedOf(payment)
  const confirmation = await readConfirmation(client, chain, hash, unsigned.lastValidBlockHeight)
  switch (confirmation.state) {
    case 'unknown':
      return { kind: 'unknown' }
    case 'confirming':
      return { kind: 'waiting' }
    case 'expired':
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
): Promise<PayerOutcome> {
  const destination = destinationOf(deps, payment, chainName)
  const { asset, chain } = destination
  if (chain.family !== 'solana') throw new AppError('invalid_chain')
  const shares = sharesOf(destination, toBaseUnits(payment.amountTo ?? '0', asset.decimals))
  const hasPaid = await verifyTransfer(deps.solanaClient(chain), hash, { from: feePayer, asset, shares, reference })
  if (hasPaid === undefined) return { kind: 'waiting' }
  if (hasPaid) return { kind: 'paid', hash }
  return { kind: 'failed', code: 'transfer_mismatch', message: 'The transaction did not move what was asked for.' }
}

function unsignedOf(payment: Payment): SolanaUnsignedTransaction {
  const unsigned = payment.unsignedTransaction
  if (unsigned?.family !== 'solana') throw new AppError('missing_unsigned_transaction')
  return unsigned
}
