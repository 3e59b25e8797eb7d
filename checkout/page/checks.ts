/** Something like an e-mail address; the server has the last word. */
export function isEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(text.trim())
}

/** Digits and capital letters alone: a CNPJ may have letters. */
export function taxIdText(text: string): string {
  return text.toUpperCase().replace(/[^\dA-Z]/g, '')
}

/** Whether it may be a CPF (11 digits) or a CNPJ (14 characters, the last two digits): its check digits are right. */
export function isTaxId(text: string): boolean {
  const id = taxIdText(text)
  if (/^(.)\1+$/.test(id)) return false
  if (/^\d{11}$/.test(id)) return hasCheckDigits(id, 11)
  return /^[\dA-Z]{12}\d{2}$/.test(id) && hasCheckDigits(id, 9)
}

/** Both are weighted sums modulo 11, whose weights begin at 2 from the right and end at `weightMax`. */
function hasCheckDigits(id: string, weightMax: number): boolean {
  return [id.length - 2, id.length - 1].every((length) => {
    let sum = 0
    for (let index = 0; index < length; index += 1) {
      sum += (id.charCodeAt(index) - 48) * (2 + ((length - 1 - index) % (weightMax - 1)))
    }
    const rest = sum % 11
    return Number(id[length]) === (rest < 2 ? 0 : 11 - rest)
  })
}

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
