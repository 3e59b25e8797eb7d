import type { JobRequest } from '../../../../kernel/jobs.js'

export const SEND_RECEIPT = 'send-receipt'

/** Of which payment to send the receipt. */
export interface ReceiptJob {
  tenantId: string
  paymentId: string
}

/** Behind all that somebody waits for: receivers may be paid after months, and as many looks come meanwhile as payers have asked. */
const WAITING_PRIORITY = 12

/** Looks again at a payment whose receivers wait for their money. */
export function waitingReceiptJob(of: ReceiptJob, runAt: Date): JobRequest {
  return { ...receiptJob(of, runAt), priority: WAITING_PRIORITY }
}

/** Sends a receipt; one at a time is planned. */
export function receiptJob({ tenantId, paymentId }: ReceiptJob, runAt: Date): JobRequest {
  return { name: SEND_RECEIPT, payload: { tenantId, paymentId }, runAt, key: `${SEND_RECEIPT}:${paymentId}` }
}
