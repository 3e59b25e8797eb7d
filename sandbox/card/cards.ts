/** A card's number and codes as they come in; they live in memory only, as long as their request or their token. */
export interface SentCard {
  number: string
  holderName: string
  holderDocument: string | null
  expMonth: number
  expYear: number
  cvv: string
  brand: string | null
  billingAddress: Record<string, unknown> | null
}

/** What a payment with a card comes to. */
export type CardOutcome =
  | 'paid'
  | 'refused'
  | 'processing-then-paid'
  | 'processing-then-failed'
  | 'failed'
  | 'antifraud-refused'
  | 'antifraud-review'
  | 'challenged'

/** The numbers of the processor's own sandbox (docs.pagar.me, "simulador de cartão de crédito"); from ...0051 on ours. */
const OUTCOME_OF_NUMBER: Readonly<Record<string, CardOutcome>> = {
  '4000000000000010': 'paid',
  '4000000000000028': 'refused',
  '4000000000000036': 'processing-then-paid',
  '4000000000000044': 'processing-then-failed',
  '4000000000000051': 'failed',
  '4000000000000119': 'challenged',
}

/** Cards that pay as long as their holder is there, and come to something else once they are on file. */
const OUTCOME_ON_FILE: Readonly<Record<string, CardOutcome>> = {
  '4000000000000069': 'refused',
}

/** What a saved card comes to, whose security code nobody knows any more. */
export function outcomeOnFile({ number }: SentCard): CardOutcome {
  return OUTCOME_ON_FILE[number] ?? OUTCOME_OF_NUMBER[number] ?? 'paid'
}

/** Documents that the antifraud of the sandbox does not let pass, or looks into by hand (the latter is ours). */
const OUTCOME_OF_DOCUMENT: Readonly<Record<string, CardOutcome>> = {
  '11111111111': 'antifraud-refused',
  '22222222222': 'antifraud-review',
}

/** What the antifraud makes of a payer, where it does not let the payment pass. */
export function antifraudOutcome(document: string): CardOutcome | undefined {
  return OUTCOME_OF_DOCUMENT[document]
}

/** What a payment comes to: by the payer's document, the security code, then the number; other cards are good. */
export function outcomeOf(card: SentCard, document: string): CardOutcome {
  const byDocument = antifraudOutcome(document)
  if (byDocument) return byDocument
  if (card.cvv.startsWith('6')) return 'refused'
  return OUTCOME_OF_NUMBER[card.number] ?? 'paid'
}

/** Whether the last digit of a card's number fits the others (ISO/IEC 7812-1, annex B). */
export function passesLuhn(number: string): boolean {
  const digits = [...number].reverse().map(Number)
  const total = digits.reduce((sum, digit, index) => {
    const doubled = index % 2 === 1 ? digit * 2 : digit
    return sum + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return /^\d{13,19}$/.test(number) && total % 10 === 0
}

/** The brand by the number's beginning, where the caller named none. */
export function brandOf(number: string): string {
  if (/^4/.test(number)) return 'Visa'
  if (/^(5[1-5]|2[2-7])/.test(number)) return 'Mastercard'
  if (/^3[47]/.test(number)) return 'Amex'
  return 'Elo'
}

/** A year of two digits belongs to this century. */
export function fullYear(year: number): number {
  return year < 100 ? 2000 + year : year
}

/** Whether a card can still be used at a time. */
export function isExpired({ expMonth, expYear }: Pick<SentCard, 'expMonth' | 'expYear'>, now: Date): boolean {
  return Date.UTC(fullYear(expYear), expMonth, 1) <= now.getTime()
}

/** What the processor shows of a card. */
export function shownCard(card: SentCard): Record<string, unknown> {
  return {
    first_six_digits: card.number.slice(0, 6),
    last_four_digits: card.number.slice(-4),
    brand: card.brand ?? brandOf(card.number),
    holder_name: card.holderName,
    holder_document: card.holderDocument,
    exp_month: card.expMonth,
    exp_year: fullYear(card.expYear),
    status: 'active',
    type: 'credit',
  }
}
