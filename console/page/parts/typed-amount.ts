/** An amount as the graph has it. */
export interface Money {
  /** A decimal string. */
  amount: string
  /** ISO 4217. */
  currency: string
}

/** What most payments are asked in: it is meant where no currency is written. */
const USUAL = 'BRL'
const SIGNS: Readonly<Record<string, string>> = { R$: 'BRL', US$: 'USD', $: 'USD', '€': 'EUR', '£': 'GBP' }

const MARK = '(R\\$|US\\$|[$€£]|[A-Z]{3})?'
const WRITTEN = new RegExp(`^${MARK}\\s*(\\d[\\d.,]*)\\s*${MARK}$`, 'i')
/** Groups of three digits are thousands, whatever parts them; one or two digits behind the last point or comma are a part of one. */
const FIGURE = /^(\d{1,15}|[1-9]\d{0,2}(?:\.\d{3}){1,4}|[1-9]\d{0,2}(?:,\d{3}){1,4})(?:[.,](\d{1,2}))?$/

/**
 * Reads an amount as people write it, in whatever language: `120`, `120,00`, `R$ 1.200,50`, `1,200.50 USD`.
 * @returns undefined of what is no amount
 */
export function typedAmount(text: string): Money | undefined {
  const [, before, figure = '', after] = WRITTEN.exec(text.trim()) ?? []
  const [, whole, part] = FIGURE.exec(figure) ?? []
  if (whole === undefined || (before !== undefined && after !== undefined)) return undefined
  const mark = (before ?? after ?? USUAL).toUpperCase()
  const digits = whole.replaceAll(/[.,]/g, '')
  return { amount: part === undefined ? digits : `${digits}.${part}`, currency: SIGNS[mark] ?? mark }
}

/**
 * The price that a text is, in a currency that is chosen beside it, as the graph has it.
 * @returns undefined of what is no amount, and of one in another currency
 */
export function typedPrice(text: string, currency: string): string | undefined {
  // Whoever is still typing has the comma before the cents.
  const read = typedAmount(text.trim().replace(/[.,]$/, ''))
  const isMarked = /[^\d.,\s]/.test(text)
  return read && (!isMarked || read.currency === currency) ? read.amount : undefined
}

/** Whether a text can be nothing but an amount: it has a sign of money. */
export function isSignedAmount(text: string): boolean {
  return /[$€£]/.test(text) && typedAmount(text) !== undefined
}
