/** What a list of payments is sorted by, and from which end. Amounts have an order within one currency only. */
export interface PaymentSort {
  by: 'created_at' | 'amount'
  direction: 'asc' | 'desc'
}

export const NEWEST_FIRST: PaymentSort = { by: 'created_at', direction: 'desc' }
