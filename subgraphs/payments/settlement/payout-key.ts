import type { Payout } from '../store/payout.entity.js'

/** One payout's name among others. */
export const payoutKey = ({ tenantId, paymentId, splitIndex }: Payout): string =>
  JSON.stringify([tenantId, paymentId, splitIndex])
