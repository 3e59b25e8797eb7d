import type { JobRequest } from '../../../../kernel/jobs.js'
import type { ChargeRecord } from '../../store/charge-records.js'
import type { StoredRefund } from '../../store/charge.entity.js'

export const SEND_REFUND = 'return-receipt'

/** Which refund to bring about. */
export interface RefundJob {
  tenantId: string
  rail: string
  receiptId: string
  /** By what the provider knows the refund. Jobs of the release before carry this name. */
  returnId: string
}

/** Refunds a received payment. */
export function refundJob(
  { tenantId, rail, receiptId, id }: Pick<StoredRefund, 'tenantId' | 'rail' | 'receiptId' | 'id'>,
  runAt?: Date,
): JobRequest {
  const payload: RefundJob = { tenantId, rail, receiptId, returnId: id }
  return { name: SEND_REFUND, payload, key: `${SEND_REFUND}:${receiptId}:${id}`, ...(runAt && { runAt }) }
}

/** The refund that a job is about, as it is kept. */
export function refundIn(record: ChargeRecord | undefined, job: RefundJob): StoredRefund | undefined {
  const { tenantId, receiptId, returnId } = job
  return record?.refunds.find((one) => one.tenantId === tenantId && one.receiptId === receiptId && one.id === returnId)
}
