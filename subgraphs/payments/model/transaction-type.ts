/** The ways to pay a payment that the contract names; a rail serves each of them, or none yet. */
export const TRANSACTION_TYPES = ['crypto', 'pixcrypto', 'fiatcrypto', 'cardcrypto', 'cardfiat'] as const
export type TransactionType = (typeof TRANSACTION_TYPES)[number]

/** Whether the receivers get fiat from the provider that charges; otherwise the treasury pays them in crypto. */
export function settlesInFiat(type: TransactionType): boolean {
  return type === 'cardfiat'
}
