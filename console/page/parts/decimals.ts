/**
 * The sum of decimal strings, exact: no floating number is made of an amount.
 * @param amounts without a sign, e.g. `149.90`
 */
export function sumOf(amounts: readonly string[]): string {
  const digits = Math.max(0, ...amounts.map((amount) => amount.split('.')[1]?.length ?? 0))
  const atoms = amounts.reduce((sum, amount) => {
    const [whole = '0', part = ''] = amount.split('.')
    return sum + BigInt(whole + part.padEnd(digits, '0'))
  }, 0n)
  const text = String(atoms).padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/**
 * How many decimals each currency needs, so that its amounts line up below each other.
 * @param amounts decimal strings, with a sign or without, each with what it is in
 */
export function decimalsOf(
  amounts: readonly (readonly [amount: string, currency: string])[],
): (currency: string) => number {
  const most = new Map<string, number>()
  for (const [amount, currency] of amounts)
    most.set(currency, Math.max(most.get(currency) ?? 0, amount.split('.')[1]?.length ?? 0))
  return (currency) => most.get(currency) ?? 0
}
