import { validationError } from '../../../kernel/errors.js'
import { isId } from '../../../kernel/ids.js'
import { hasRight } from '../../../kernel/permissions.js'
import type { Caller, Tenant } from '../../../kernel/tenant.js'
import type { PaymentRefund } from '../model/refund.js'
import type { Payment } from '../store/payment.entity.js'
import type { Subscription } from '../store/subscription.entity.js'

/** What was found by an id: its own fields beside its type, or its id alone where another subgraph has the rest. */
export interface FoundNode {
  __typename: 'Payment' | 'PaymentSubscription' | 'Refund' | 'Order' | 'KycRecord'
  id: string
}

/** What finding anything by its id needs. Each look-up takes what one request asks for at once together. */
export interface FindNodeDeps {
  paymentById: (tenantId: string, id: string) => Promise<Payment | undefined>
  refundById: (tenantId: string, id: string) => Promise<PaymentRefund | undefined>
  subscriptionById: (tenantId: string, id: string) => Promise<Subscription | undefined>
  /** Whether the subgraph of orders has one of this id, of the request's tenant. */
  hasOrder: (id: string) => Promise<boolean>
  /** The same of verifications. */
  hasKycRecord: (id: string) => Promise<boolean>
}

/** So many ids are looked for at once. */
const NODES_MAX = 100

/**
 * What has an id: ours in one look-up of each of our tables, and what is not there is asked of the subgraphs of orders and of
 * verifications, so that nothing is told to exist by guessing.
 * @returns null where the tenant has nothing of this id, and where the caller may not read what it is
 * @throws AppError of the subgraph that could not be asked, where no other has it
 */
export async function findNode(
  deps: FindNodeDeps,
  tenant: Tenant,
  caller: Caller,
  id: string,
): Promise<FoundNode | null> {
  if (!isId(id)) return null
  const own = hasRight(caller, 'payments:read') ? await findOwn(deps, tenant, id) : undefined
  if (own) return own
  const found = await Promise.allSettled([
    hasRight(caller, 'orders:read') && deps.hasOrder(id),
    hasRight(caller, 'kyc:read') && tenant.products.includes('kyc') && deps.hasKycRecord(id),
  ])
  const at = found.findIndex((answer) => answer.status === 'fulfilled' && answer.value)
  if (at >= 0) return { __typename: at === 0 ? 'Order' : 'KycRecord', id }
  const failed = found.find((answer) => answer.status === 'rejected')
  if (failed) throw failed.reason
  return null
}

/**
 * As `findNode`, of several ids, in their order.
 * @throws validation_error on `ids`
 */
export function findNodes(
  deps: FindNodeDeps,
  tenant: Tenant,
  caller: Caller,
  ids: readonly string[],
): Promise<FoundNode | null>[] {
  if (ids.length > NODES_MAX) throw validationError([{ field: 'ids', message: `must have at most ${NODES_MAX} ids` }])
  return ids.map((id) => findNode(deps, tenant, caller, id))
}

async function findOwn(
  { paymentById, subscriptionById, refundById }: FindNodeDeps,
  tenant: Tenant,
  id: string,
): Promise<FoundNode | undefined> {
  const [payment, subscription, refund] = await Promise.all([
    paymentById(tenant.id, id),
    subscriptionById(tenant.id, id),
    refundById(tenant.id, id),
  ])
  if (payment) return { ...payment, __typename: 'Payment' }
  if (subscription) return { ...subscription, __typename: 'PaymentSubscription' }
  return refund && { ...refund, __typename: 'Refund' }
}
