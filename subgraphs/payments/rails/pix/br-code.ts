/** One element of an EMV QR code: a two-digit id and its value. */
type Element = readonly [id: string, value: string]

/** What a dynamic code says: where the charge can be fetched, and who receives. */
export interface DynamicBrCode {
  /** The charge's `location`: a URL without its scheme. */
  location: string
  /** At most 25 characters are shown. */
  receiverName: string
  /** At most 15 characters are shown. */
  receiverCity: string
}

/** The Pix account information of the Brazilian central bank, among the merchant's (EMV MPM id 26, sub-id 00). */
const PIX_DOMAIN = 'br.gov.bcb.pix'

/**
 * The text of a dynamic BR Code (Pix "copia e cola"): EMV MPM elements as two digits of id, two of length, value; amount
 * and txid are left to the charge at `location`, as its txid does not fit the 25 characters of element 62-05.
 * @throws RangeError where a value has more than 99 characters
 */
export function buildBrCode({ location, receiverName, receiverCity }: DynamicBrCode): string {
  const account: Element[] = [
    ['00', PIX_DOMAIN],
    ['25', location],
  ]
  const elements: Element[] = [
    ['00', '01'],
    ['01', '12'],
    ['26', encode(account)],
    ['52', '0000'],
    ['53', '986'],
    ['58', 'BR'],
    ['59', asciiText(receiverName, 25)],
    ['60', asciiText(receiverCity, 15)],
    ['62', encode([['05', '***']])],
  ]
  const unsigned = `${encode(elements)}6304`
  return unsigned + brCodeChecksum(unsigned)
}

/** The elements of a BR Code by their ids; undefined where its form or its checksum is wrong. */
export function parseBrCode(code: string): ReadonlyMap<string, string> | undefined {
  const elements = decode(code)
  const checksum = elements?.get('63')
  if (checksum?.length !== 4 || !code.endsWith(`6304${checksum}`)) return undefined
  return brCodeChecksum(code.slice(0, -4)) === checksum.toUpperCase() ? elements : undefined
}

/** CRC-16/CCITT-FALSE (polynomial 0x1021, initial 0xFFFF) in four upper-case hex digits; of "123456789" it is 29B1. */
export function brCodeChecksum(text: string): string {
  let crc = 0xffff
  for (const byte of Buffer.from(text, 'utf8')) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff
  }
  return crc.toString(16).toUpperCase().padStart(4, '0')
}

function encode(elements: readonly Element[]): string {
  return elements
    .map(([id, value]) => {
      if (value.length > 99) throw new RangeError(`element ${id} of a BR Code has more than 99 characters`)
      return id + String(value.length).padStart(2, '0') + value
    })
    .join('')
}

function decode(text: string): Map<string, string> | undefined {
  const elements = new Map<string, string>()
  let rest = text
  while (rest !== '') {
    const [, id, length] = /^(\d{2})(\d{2})/.exec(rest) ?? []
    if (id === undefined || rest.length < 4 + Number(length)) return undefined
    elements.set(id, rest.slice(4, 4 + Number(length)))
    rest = rest.slice(4 + Number(length))
  }
  return elements
}

/** Lengths count characters, and old readers count bytes: without accents both are the same. */
function asciiText(text: string, lengthMax: number): string {
  const ascii = text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]/g, '')
  return ascii.slice(0, lengthMax).trim() || '-'
}
