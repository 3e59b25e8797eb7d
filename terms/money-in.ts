/** What of a payment that is pending tells whether its money has come. */
export interface PendingPayment {
  /** Whether a wallet pays it. */
  isByWallet: boolean
  /** The hash of what the wallet has sent. */
  tidHash: string | null | undefined
  globalPaymentData: unknown
}

/** Whether the payer's money is there, though the receivers may still wait for theirs. */
export function isMoneyIn({ isByWallet, tidHash, globalPaymentData }: PendingPayment): boolean {
  return isByWallet ? tidHash != null : confirmedAt(globalPaymentData) !== undefined
}

/** When a provider confirmed a charge, as the summary of its payment tells; undefined where it has not. */
export function confirmedAt(globalPaymentData: unknown): string | undefined {
  const { confirmed_at: at } = (globalPaymentData ?? {}) as { confirmed_at?: unknown }
  return typeof at === 'string' ? at : undefined
}
