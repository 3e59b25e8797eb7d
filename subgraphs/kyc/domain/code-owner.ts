import type { Tenant } from '../../../kernel/tenant.js'
import type { CodeOwner } from '../store/email-otps.js'
import type { Person } from '../store/person.entity.js'

/** Whose a code is that a request sends or tries: the tenant's own, or that of the payment whose page asks. */
export function codeOwner({ pageOf }: Pick<Tenant, 'pageOf'>, { tenantId, id }: Person): CodeOwner {
  return { tenantId, id, paymentId: pageOf ?? null }
}
