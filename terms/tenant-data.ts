import type { FieldFailure } from '../kernel/errors.js'
import { publicClientIdProblem } from '../kernel/tenant.js'
import type { TermsSettings } from './check-terms.js'
import type { CheckIntegration } from './integration.js'

/** What checking the integration that terms name needs. */
export interface CheckTenantDataDeps {
  settings: TermsSettings
  checkIntegration: CheckIntegration
  /** Why a webhook URL is not acceptable: https and public addresses only, or none of these in the sandbox. */
  checkWebhookUrl: (field: string, url: string) => Promise<FieldFailure[]>
}

/** What is wrong with `tenantData` beyond its form: the integration is the tenant's, and the address can be delivered to. */
export async function tenantDataFailures(
  deps: CheckTenantDataDeps,
  tenantData: { publicClientId?: string | null | undefined; webhookUrl?: string | null | undefined } | null | undefined,
): Promise<FieldFailure[]> {
  const { publicClientId: id, webhookUrl: url } = tenantData ?? {}
  const isWellFormed =
    typeof id === 'string' && publicClientIdProblem(id, deps.settings.publicClientIdPrefix) === undefined
  return [
    ...(isWellFormed ? await deps.checkIntegration('tenantData.publicClientId', id) : []),
    ...(typeof url === 'string' ? await deps.checkWebhookUrl('tenantData.webhookUrl', url) : []),
  ]
}
