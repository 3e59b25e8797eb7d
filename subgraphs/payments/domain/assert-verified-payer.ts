import { AppError } from '../../../kernel/errors.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { CreateTransactionInput } from '../model/transaction-input.js'
import type { KycStatus, KycSubject } from '../peers/kyc-status.js'
import type { Rail } from '../rails/rail.js'
import type { Payment } from '../store/payment.entity.js'

/** What verifying a payer needs. */
export interface VerifyPayerDeps {
  /** How far the identity verification of a payer of the request's tenant is. */
  kycStatus: (subject: KycSubject) => Promise<KycStatus>
}

/**
 * Lets only verified payers pay financial payments in fiat: one approved record of the e-mail address or the wallet is
 * enough. Checkout payments pass. Without the product kyc nobody can be verified, so the gate stays shut.
 * @throws kyc_verification_required where there is no record with a session, kyc_not_approved where none is approved
 */
export async function assertVerifiedPayer(
  deps: VerifyPayerDeps,
  tenant: Tenant,
  { rail, payment, input }: { rail: Rail; payment: Payment; input: CreateTransactionInput },
): Promise<void> {
  if (!rail.needsVerifiedPayer || payment.executorId === 'order_transaction') return
  if (!tenant.products.includes('kyc')) throw new AppError('kyc_verification_required')
  const email = (input.payerEmail ?? '').trim().toLowerCase()
  const status = await deps.kycStatus({ email, wallet: input.payerWallet ?? null })
  if (status === 'no_record') throw new AppError('kyc_verification_required')
  if (status === 'not_approved') throw new AppError('kyc_not_approved')
}
