import type { FieldFailure } from '../../../../kernel/errors.js'
import { termFailures, termRuleFailures, type SentTerms, type TermsSettings } from '../../../../terms/check-terms.js'
import { PAYMENT_METHODS } from '../../../../terms/methods.js'
import type { CheckTenantDataDeps } from '../../../../terms/tenant-data.js'
import type { PaymentNotes } from '../../store/payment.entity.js'

/** What checking a registration needs. */
export type CheckRegistrationDeps = CheckTenantDataDeps

/** The part of an input that says what is paid to whom, with what the caller notes about it. */
export interface PaymentTerms extends SentTerms, PaymentNotes {
  tenantData?: { publicClientId?: string; webhookUrl?: string } | null
}

/** As JSON text: what a shop notes about a payment, and not what it could keep for itself. */
export const METADATA_MAX_BYTES = 16 * 1024

/** Every way in which the terms of a payment are not acceptable. Rules whose fields are absent are left out. */
export function checkPaymentTerms(settings: TermsSettings, terms: PaymentTerms): FieldFailure[] {
  const { paymentMethodAllowed: methods, splitPaymentConfig: split } = terms
  const isNoneAllowed = methods && !PAYMENT_METHODS.some((method) => methods[method])
  return [
    ...termFailures(settings, terms),
    ...(isNoneAllowed ? [{ field: 'paymentMethodAllowed', message: 'must allow at least one method' }] : []),
    ...termRuleFailures(settings, terms),
    ...(split?.length === 0 ? [{ field: 'splitPaymentConfig', message: 'must name at least one receiver' }] : []),
    ...checkMetadata(terms),
  ]
}

function checkMetadata({ metadata }: PaymentTerms): FieldFailure[] {
  if (metadata === undefined || metadata === null) return []
  if (typeof metadata !== 'object' || Array.isArray(metadata))
    return [{ field: 'metadata', message: 'must be an object' }]
  if (Buffer.byteLength(JSON.stringify(metadata)) <= METADATA_MAX_BYTES) return []
  return [{ field: 'metadata', message: 'must be at most 16 KB of JSON' }]
}
