/**
 * What a payment is about to show, with the `returns` that it shows already where the new words say nothing of any: they tell of money that
 * came for a charge which it has replaced, and whoever moves its wallet or its address on knows of no charge.
 * @param next null for nothing, undefined where what it shows stays as it is
 */
export function withShownReturns(shown: unknown, next: unknown): unknown {
  const { returns = [] } = (shown ?? {}) as { returns?: readonly unknown[] }
  return next === undefined || returns.length === 0 ? next : { returns, ...(next as object | null) }
}
