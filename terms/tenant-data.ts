import type { CheckAddress } from '../kernel/address-guard.js'
import type { FieldFailure } from '../kernel/errors.js'
import type { RequestContext } from '../kernel/subgraph.js'
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

/** Makes the check of a request's webhook URLs, on behalf of its tenant. */
export function webhookUrlCheck(
  checkAddress: CheckAddress,
  { caller: { tenantId } }: RequestContext,
): CheckTenantDataDeps['checkWebhookUrl'] {
  return async (field, url) => {
    const problem = await checkAddress(url, tenantId)
    return problem === undefined ? [] : [{ field, message: problem }]
  }
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
