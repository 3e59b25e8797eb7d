import type { Transaction } from '../../../kernel/database.js'
import { AppError } from '../../../kernel/errors.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { KycDeps } from '../deps.js'

/** Over what time sessions are counted: 30 days, always those before now. */
const QUOTA_WINDOW_MS = 30 * 86_400_000

/**
 * Throws verify_quota_exceeded where the tenant has created as many sessions as it may. Before a slot is taken the
 * transaction must hold `sessions.lockQuota`.
 */
export async function assertQuotaLeft(
  { sessions, settings }: Pick<KycDeps, 'sessions' | 'settings'>,
  { id: tenantId }: Pick<Tenant, 'id'>,
  { em }: { em: Transaction },
): Promise<void> {
  const used = await sessions.countSince(em, tenantId, QUOTA_WINDOW_MS)
  if (used >= settings.monthlyQuota) throw new AppError('verify_quota_exceeded')
}
