import { tenantOf } from '../../../kernel/subgraph.js'
import type { KycContext } from '../deps.js'
import { findStoredRecord } from '../domain/find-kyc-record.js'
import type { KycView } from '../domain/kyc-view.js'

/** A verification that another subgraph refers to; null where the tenant has no such one. */
export function kycRecordReference({ id }: { id: string }, context: KycContext): Promise<KycView | null> {
  return findStoredRecord(context.deps, tenantOf(context), id)
}
