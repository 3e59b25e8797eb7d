import { AppError } from '../../../../kernel/errors.js'
import type { OnChain, OnChains } from '../../rails/on-chain.js'
import type { Payment, PaymentChange } from '../../store/payment.entity.js'
import type { Stores } from '../../store/stores.js'

/** What finding out what was signed needs. */
export type SignedVersionDeps = OnChains & Pick<Stores, 'payments'>

/** A payer's signed transaction, and the payment as it was when the transaction was built. */
export interface SignedVersion {
  onChain: OnChain
  /** What the payment takes over from then; nothing where it is the transaction that it waits for now. */
  change: PaymentChange
  chainName: string
  quoteId: string | null
  hash: string
  raw: string
}

/**
 * Which transaction of a payment was signed. One that was replaced counts only where the chain has it already: it pays the
 * same receivers what was quoted then, and a payer who has paid must not be asked to pay again.
 * @throws invalid_parameters, invalid_chain, invalid_signed_transaction, missing_unsigned_transaction,
 *   invalid_payment_status, confirm_rpc_unavailable
 */
export async function findSignedVersion(
  deps: SignedVersionDeps,
  payment: Payment,
  raw: string,
): Promise<SignedVersion> {
  const family = onChainOf(deps, payment)
  try {
    return await verify(family, payment, raw, {})
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid_signed_transaction') throw error
    const earlier = await findEarlier(deps, payment, raw)
    if (!earlier) throw error
    return earlier
  }
}

/** The newest replaced transaction that this is, where a block has it. */
async function findEarlier(deps: SignedVersionDeps, payment: Payment, raw: string): Promise<SignedVersion | undefined> {
  for (const built of await deps.payments.builtTransactions(payment.tenantId, payment.id)) {
    // What was built before there were versions says nothing of one.
    const change: PaymentChange = { splitVersion: null, ...built }
    const then = { ...payment, ...change } as Payment
    const version = await verify(onChainOf(deps, then), then, raw, change).catch((error: unknown) => {
      if (error instanceof AppError && ['invalid_signed_transaction', 'invalid_chain'].includes(error.code))
        return undefined
      throw error
    })
    if (version) return (await version.onChain.minedAt(version.chainName, version)) ? version : undefined
  }
  return undefined
}

async function verify(onChain: OnChain, payment: Payment, raw: string, change: PaymentChange): Promise<SignedVersion> {
  const signed = await onChain.verifySigned(payment, raw)
  return { onChain, change, chainName: payment.chainName ?? '', quoteId: payment.quoteId ?? null, ...signed }
}

/** The chain that the payment's unsigned transaction is for. */
function onChainOf({ onChain }: SignedVersionDeps, payment: Payment): OnChain {
  const { unsignedTransaction } = payment
  if (!unsignedTransaction) {
    const waiting = payment.status === 'registered' || payment.transactionType === 'crypto'
    throw new AppError(waiting ? 'missing_unsigned_transaction' : 'invalid_payment_status')
  }
  const family = onChain[unsignedTransaction.family]
  if (!family) throw new AppError('invalid_chain')
  return family
}
