import { compare, decimalsOf, isPositive } from '../kernel/money.js'
import { payableMethods, type SentMethods } from './methods.js'

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

/** More than any currency has of all its money, the weakest included: such a sum can be charged by nobody, and no wallet holds it. */
const WHOLE_DIGITS_MAX = 15

/** What every provider charges in, and the most of it: ten digits and two decimals, which the API Pix can write; cards take less. */
const CHARGED_CURRENCY = 'BRL'
export const CHARGED_MAX = '9999999999.99'

/**
 * Why an amount cannot be asked for; undefined where it can. Zeros at the end do not count as decimals.
 * @param amount a decimal string
 * @param currency of the amount; absent where it is not known to be good
 */
export function amountProblem(amount: string, currency: string | null | undefined): string | undefined {
  if (!isPositive(amount)) return 'must be greater than 0'
  const [whole = ''] = amount.replace(/^0+/, '').split('.')
  if (whole.length > WHOLE_DIGITS_MAX) return `must have at most ${WHOLE_DIGITS_MAX} digits before the point`
  if (typeof currency !== 'string') return undefined
  const decimals = fiatDecimals(currency)
  if (decimalsOf(amount) <= decimals) return undefined
  return `must have at most ${decimals} decimals: it is in ${currency}`
}

/** What of terms decides how much can be charged. */
interface ChargedTerms {
  paymentMethodAllowed?: SentMethods | null | undefined
  fromCurrencySymbol?: string | null | undefined
  amountFrom?: string | null | undefined
}

/**
 * Why an amount that can be asked for is none that the methods can take, where each of them charges it at a provider: a wallet pays what it
 * holds. Undefined where they can, or a term is absent. What another fiat is charged as only its price tells, when it is charged.
 */
export function chargedProblem({
  paymentMethodAllowed,
  fromCurrencySymbol,
  amountFrom,
}: ChargedTerms): string | undefined {
  const methods = payableMethods(paymentMethodAllowed ?? {})
  if (methods.length === 0 || methods.includes('crypto') || fromCurrencySymbol !== CHARGED_CURRENCY) return undefined
  const isOver = typeof amountFrom === 'string' && compare(amountFrom, CHARGED_MAX) > 0
  // Of one that cannot be asked for at all that is said already.
  if (!isOver || amountProblem(amountFrom, fromCurrencySymbol) !== undefined) return undefined
  return `must be at most ${CHARGED_MAX}, which is the most that can be charged`
}
