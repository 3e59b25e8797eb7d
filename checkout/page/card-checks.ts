/** Whether the last digit of a card's number fits the others (ISO/IEC 7812-1, annex B). */
export function isCardNumber(text: string): boolean {
  const digits = text.replace(/\D/g, '')
  if (!/^\d{13,19}$/.test(digits)) return false
  let sum = 0
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index])
    sum += index % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2
  }
  return sum % 10 === 0
}

/** The brand that a card's number begins like; undefined where it is none that we know. */
export function brandOf(text: string): string | undefined {
  const digits = text.replace(/\D/g, '')
  if (/^(?:4011|4312|4389|5041|5067|509|6277|6362|6363|650|651|655)/.test(digits)) return 'Elo'
  if (/^4/.test(digits)) return 'Visa'
  if (/^(?:5[1-5]|2[2-7])/.test(digits)) return 'Mastercard'
  if (/^3[47]/.test(digits)) return 'Amex'
  return /^6062/.test(digits) ? 'Hipercard' : undefined
}

/** Month and year of `MMYY`; undefined where it is none, or over by `now` (milliseconds). */
export function expiryOf(text: string, now: number): { month: number; year: number } | undefined {
  const [, mm, yy] = /^(\d{2})(?:20)?(\d{2})$/.exec(text.replace(/\D/g, '')) ?? []
  const month = Number(mm)
  const year = 2000 + Number(yy)
  if (!(month >= 1 && month <= 12) || Date.UTC(year, month, 1) <= now) return undefined
  return { month, year }
}
