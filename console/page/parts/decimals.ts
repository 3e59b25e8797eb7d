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
