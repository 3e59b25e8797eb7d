import { AppError } from '../../../kernel/errors.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { KycDeps } from '../deps.js'
import { assertKycEnabled } from './assert-kyc-enabled.js'
import { identitiesOf, type NamedIdentity } from './identity.js'
import { kycView, type KycView } from './kyc-view.js'
import { refreshPerson, type RefreshSessionDeps } from './refresh-session.js'

type FindKycRecordDeps = RefreshSessionDeps & Pick<KycDeps, 'isOnlyPayer' | 'logAccess' | 'personBy' | 'recordOf'>

/**
 * Where the owner of an e-mail address or a wallet stands; the provider is asked where what is stored is stale.
 * @throws product_disabled, missing_params, kyc_not_found
 */
export async function findKycRecord(deps: FindKycRecordDeps, tenant: Tenant, named: NamedIdentity): Promise<KycView> {
  assertKycEnabled(tenant)
  const view = await lookUp(deps, tenant, named, { operation: 'find-kyc-record', asksProvider: true })
  if (!view) throw new AppError('kyc_not_found')
  return view
}

/**
 * Where the payer of a payment stands, who may be nobody that was ever prepared. Null also without the product: it is a
 * field of every payment, and a list of them must not be a list of errors. In a list what is stored is served as it is, as
 * otherwise each stale person in it would be a call to the provider.
 */
export async function findPayerVerification(
  deps: FindKycRecordDeps,
  tenant: Tenant,
  { paymentId, ...payer }: NamedIdentity & { paymentId: string },
): Promise<KycView | null> {
  if (!tenant.products.includes('kyc')) return null
  const asksProvider = await deps.isOnlyPayer(paymentId)
  if (!payer.email && !payer.wallet) return null
  return (await lookUp(deps, tenant, payer, { operation: 'payer-verification', asksProvider })) ?? null
}

/** A verification by its id, as it is stored. Null where there is none, and without the product. */
export async function findStoredRecord(
  deps: Pick<KycDeps, 'clock' | 'logAccess' | 'recordOf'>,
  tenant: Tenant,
  id: string,
): Promise<KycView | null> {
  const record = tenant.products.includes('kyc') ? await deps.recordOf(tenant.id, id) : undefined
  if (!record) return null
  await deps.logAccess(tenant.id, id, 'kyc-record')
  return kycView(record, deps.clock.now())
}

async function lookUp(
  deps: FindKycRecordDeps,
  tenant: Tenant,
  named: NamedIdentity,
  { operation, asksProvider }: { operation: string; asksProvider: boolean },
): Promise<KycView | undefined> {
  for (const identity of identitiesOf(named)) {
    const known = await deps.personBy(tenant.id, identity)
    if (!known) continue
    if (asksProvider) await refreshPerson(deps, known)
    const record = await deps.recordOf(tenant.id, known.id)
    if (!record) continue
    await deps.logAccess(tenant.id, known.id, operation)
    return kycView(record, deps.clock.now())
  }
  return undefined
}
