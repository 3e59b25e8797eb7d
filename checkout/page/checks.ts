/** Something like an e-mail address; the server has the last word. */
export function isEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(text.trim())
}

/** Digits and capital letters alone: a CNPJ may have letters. */
export function taxIdText(text: string): string {
  return text.toUpperCase().replace(/[^\dA-Z]/g, '')
}

/** As documents show it: `529.982.247-25`, or `12.ABC.345/01DE-35` where it is more than a CPF. */
export function taxIdFormatted(text: string): string {
  const id = taxIdText(text).slice(0, 14)
  const [ends, signs] = /^\d{0,11}$/.test(id) ? [[3, 6, 9], '..-'] : [[2, 5, 8, 12], '../-']
  return [...id].map((letter, index) => `${signs[ends.indexOf(index)] ?? ''}${letter}`).join('')
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
