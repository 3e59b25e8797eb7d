/**
 * A decimal amount in base units, exactly.
 * @throws RangeError where it is none, or finer than the decimals
 */
export function baseUnits(amount: string, decimals: number): bigint {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount)
  if (!match) throw new RangeError(`${amount} is no amount`)
  const [, sign = '', whole = '', given = ''] = match
  const fraction = given.replace(/0+$/, '')
  if (fraction.length > decimals) throw new RangeError(`${amount} is finer than ${decimals} decimals`)
  const units = BigInt(whole + fraction.padEnd(decimals, '0'))
  return sign === '-' ? -units : units
}

/** Parts of a percentage that all shares are whole numbers of. */
const PARTS = 10n ** 12n

/** What each receiver is due: rounded down, and the first gets what remains. */
export function dueShares(total: bigint, percents: readonly number[]): bigint[] {
  const shares = percents.map((percent) => (total * baseUnits(percent.toFixed(12), 12)) / (100n * PARTS))
  const rest = total - shares.reduce((sum, share) => sum + share, 0n)
  return shares.map((share, index) => (index === 0 ? share + rest : share))
}

/** Adds to an entry of a map of sums. */
export function add(sums: Map<string, bigint>, key: string, amount: bigint): void {
  sums.set(key, (sums.get(key) ?? 0n) + amount)
}
