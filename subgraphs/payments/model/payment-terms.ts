import type { PaymentMethod } from '../../../terms/methods.js'

/** A receiver's share as stored: percentages are exact decimal numbers in jsonb. */
export interface SplitReceiver {
  receiverWallet: string
  receiverPercent: number
  recipientId?: string
  liable?: boolean
  chargeProcessingFee?: boolean
}

/** Which payment methods a payment may be paid by. */
export type PaymentMethods = Record<PaymentMethod, boolean>
