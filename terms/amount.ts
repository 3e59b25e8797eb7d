import { decimalsOf, isPositive } from '../kernel/money.js'

/** ISO 4217: the currencies whose smallest unit is not a hundredth. */
const OTHER_DECIMALS: readonly [decimals: number, currencies: readonly string[]][] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ')],
  [3, 'BHD IQD JOD KWD LYD OMR TND'.split(' ')],
  [4, 'CLF UYW'.split(' ')],
]

/** How many decimals amounts in a fiat currency have (ISO 4217, minor unit). */
export function fiatDecimals(currency: string): number {
  return OTHER_DECIMALS.find(([, currencies]) => currencies.includes(currency))?.[0] ?? 2
}

/**
 * Why an amount cannot be asked for; undefined where it can. Zeros at the end do not count as decimals.
 * @param amount a decimal string
 * @param currency of the amount; absent where it is not known to be good
 */
export function amountProblem(amount: string, currency: string | null | undefined): string | undefined {
  if (!isPositive(amount)) return 'must be greater than 0'
  if (typeof currency !== 'string') return undefined
  const decimals = fiatDecimals(currency)
  if (decimalsOf(amount) <= decimals) return undefined
  return `must have at most ${decimals} decimals: it is in ${currency}`
}
