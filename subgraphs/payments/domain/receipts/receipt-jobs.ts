import type { JobRequest } from '../../../../kernel/jobs.js'

export const SEND_RECEIPT = 'send-receipt'

/** Of which payment to send the receipt. */
export interface ReceiptJob {
  tenantId: string
  paymentId: string
}

/** Sends a receipt; one at a time is planned. */
export function receiptJob({ tenantId, paymentId }: ReceiptJob, runAt: Date): JobRequest {
  return { name: SEND_RECEIPT, payload: { tenantId, paymentId }, runAt, key: `${SEND_RECEIPT}:${paymentId}` }
}
