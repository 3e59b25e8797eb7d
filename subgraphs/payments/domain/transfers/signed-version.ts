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
  try {
    return await verify(onChainOf(deps, payment), payment, raw, {})
  } catch (error) {
    // A payer who has asked for a charge since may have paid by his wallet all the same.
    const codes = payment.unsignedTransaction ? ['invalid_signed_transaction'] : NOT_BUILT
    if (!(error instanceof AppError) || !codes.includes(error.code)) throw error
    const earlier = await findEarlier(deps, payment, raw)
    if (!earlier) throw error
    return earlier
  }
}

const NOT_BUILT = ['invalid_payment_status', 'missing_unsigned_transaction']

/** The newest replaced transaction that this is, where a block has it. */
async function findEarlier(deps: SignedVersionDeps, payment: Payment, raw: string): Promise<SignedVersion | undefined> {
  const version = await findBuilt(deps, payment, raw)
  return version && (await version.onChain.minedAt(version.chainName, version)) ? version : undefined
}

/** The newest transaction built for the payment that this is, whether a block has it or not. Throws as `findSignedVersion`. */
export async function findBuilt(
  deps: SignedVersionDeps,
  payment: Payment,
  raw: string,
): Promise<SignedVersion | undefined> {
  for (const built of await deps.payments.builtTransactions(payment.tenantId, payment.id)) {
    // What was built before there were versions says nothing of one.
    const change: PaymentChange = { splitVersion: null, ...built }
    const then = { ...payment, ...change } as Payment
    const version = await verify(onChainOf(deps, then), then, raw, change).catch((error: unknown) => {
      if (error instanceof AppError && ['invalid_signed_transaction', 'invalid_chain'].includes(error.code))
        return undefined
      throw error
    })
    if (version) return version
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
