import type { Tenant } from '../../../kernel/tenant.js'
import type { AccountsDeps } from '../deps.js'
import { webhookSecrets } from '../domain/webhook-secrets.js'
import { signatureHeaders } from '../webhooks/signature.js'

/** What a payer brings back to the shop. */
export interface PaymentReturn {
  publicClientId: string | null
  paymentId: string
  status: string
  /** When the payment came to that status, ISO 8601. */
  at: string
}

/**
 * Signs what a payer brings back to the shop, as webhooks are signed: over `payment_id.timestamp.status`, with the secret of
 * the payment's integration, and with the old one too while it is rotated. The secret stays here.
 * @returns the query; without a signature where the tenant has no integration
 */
export async function signReturn(
  deps: Pick<AccountsDeps, 'accounts' | 'clock' | 'keyRing'>,
  tenant: Pick<Tenant, 'id'>,
  { publicClientId, paymentId, status, at }: PaymentReturn,
): Promise<string> {
  const secrets = await webhookSecrets(deps, tenant, { publicClientId })
  const signed = signatureHeaders(paymentId, new Date(at), status, secrets)
  const query = new URLSearchParams({
    payment_id: paymentId,
    payment_status: status,
    payment_timestamp: signed['webhook-timestamp'],
  })
  if (secrets.length > 0) query.set('payment_signature', signed['webhook-signature'])
  return query.toString()
}
