import type { Transaction } from '../../../kernel/database.js'
import { AppError } from '../../../kernel/errors.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { KycDeps } from '../deps.js'
import type { QuotaOwner } from '../store/session-reads.js'

/** Over what time sessions are counted: 30 days, always those before now. */
const QUOTA_WINDOW_MS = 30 * 86_400_000

/** Who asks, as far as the quota goes. */
export type QuotaAsker = Pick<Tenant, 'id' | 'pageOf' | 'publicClientId'>

/**
 * Whose quota a request counts for: each integration of a tenant has one of its own, and so have its payment pages together.
 * Whoever has links of pages cannot use up what the tenant's own calls need, nor these what its payers need.
 */
export function quotaOwner({ id, publicClientId, pageOf }: QuotaAsker): QuotaOwner {
  return { tenantId: id, publicClientId: publicClientId ?? null, isOfPage: pageOf !== undefined }
}

/**
 * Throws verify_quota_exceeded where the integration has, or all payment pages have, created as many sessions as it may. Before a slot is taken the
 * transaction must hold `sessions.lockQuota`.
 */
export async function assertQuotaLeft(
  { sessions, settings }: Pick<KycDeps, 'sessions' | 'settings'>,
  tenant: QuotaAsker,
  { em }: { em: Transaction },
): Promise<void> {
  const used = await sessions.countSince(em, quotaOwner(tenant), QUOTA_WINDOW_MS)
  if (used >= settings.monthlyQuota) throw new AppError('verify_quota_exceeded')
}
