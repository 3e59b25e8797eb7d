/**
 * Percentages as whole numbers in the same proportion: hundredths, or as fine as the finest of them is.
 * @param percents decimal strings like `33.333333`
 * @throws RangeError where one is not a decimal number or they do not sum to exactly 100
 */
export function splitShares(percents: readonly string[]): bigint[] {
  const parts = percents.map((percent) => {
    const match = /^(\d{1,3})(?:\.(\d{1,18}))?$/.exec(percent)
    if (!match) throw new RangeError('a percentage is a decimal number with at most 18 decimals')
    return { whole: match[1] ?? '', decimals: match[2] ?? '' }
  })
  const scale = Math.max(2, ...parts.map((part) => part.decimals.length))
  const shares = parts.map((part) => BigInt(part.whole + part.decimals.padEnd(scale, '0')))
  const sum = shares.reduce((total, share) => total + share, 0n)
  if (sum !== 100n * 10n ** BigInt(scale)) throw new RangeError('the percentages do not sum to 100')
  return shares
}

/**
 * What each receiver of `total` gets: every share rounded down, what remains goes to the first; the same arithmetic as
 * `Forwarder.distribute`.
 * @param total in base units
 * @param percents see `splitShares`
 * @throws RangeError as `splitShares`
 */
export function shareAmounts(total: bigint, percents: readonly string[]): bigint[] {
  const shares = splitShares(percents)
  const sum = shares.reduce((subtotal, share) => subtotal + share, 0n)
  const amounts = shares.map((share) => (total * share) / sum)
  const remaining = total - amounts.reduce((subtotal, amount) => subtotal + amount, 0n)
  return amounts.map((amount, index) => (index === 0 ? amount + remaining : amount))
}
