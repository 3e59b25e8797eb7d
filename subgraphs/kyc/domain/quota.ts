import type { Transaction } from '../../../kernel/database.js'
import { AppError } from '../../../kernel/errors.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { KycDeps } from '../deps.js'
import type { QuotaOwner } from '../store/session-reads.js'

/** Over what time sessions are counted: 30 days, always those before now. */
const QUOTA_WINDOW_MS = 30 * 86_400_000

/** Whose quota a request counts for: each integration of a tenant has one of its own. */
export function quotaOwner({ id, publicClientId }: Pick<Tenant, 'id' | 'publicClientId'>): QuotaOwner {
  return { tenantId: id, publicClientId: publicClientId ?? null }
}

/**
 * Throws verify_quota_exceeded where the integration has created as many sessions as it may. Before a slot is taken the
 * transaction must hold `sessions.lockQuota`.
 */
export async function assertQuotaLeft(
  { sessions, settings }: Pick<KycDeps, 'sessions' | 'settings'>,
  tenant: Pick<Tenant, 'id' | 'publicClientId'>,
  { em }: { em: Transaction },
): Promise<void> {
  const used = await sessions.countSince(em, quotaOwner(tenant), QUOTA_WINDOW_MS)
  if (used >= settings.monthlyQuota) throw new AppError('verify_quota_exceeded')
}
