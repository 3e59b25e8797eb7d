/** What is kept of an answer, in characters. */
const LENGTH_MAX = 1000

/** What is read of an answer: enough for as many characters of four bytes, and for a secret that goes on behind them. */
export const EXCERPT_BYTES = 4 * (LENGTH_MAX + 256)

/** Our secrets by their form, whosever they are; with the backslashes that JSON may have in base64. */
const OWN_SECRET = /(?:whsec|sk_live|sk_test)_[\w+/=\\-]{8,}/g
/** As many digits as a card's number or a tax id has, however they are grouped. */
const LONG_NUMBER = /\d(?:[ ./-]?\d){10,18}/g
/** A control character that no text has. */
const NO_TEXT = /(?![\t\n\r])\p{Cc}/u

/**
 * What a receiver answered, as it can be kept and shown: the first 1,000 characters, secrets of ours and long numbers made
 * unreadable. A receiver in trouble prints what it has, also the secret it checks signatures with.
 * @param body the beginning of the answer
 * @param secrets `whsec_…`, those that the delivery was signed with
 * @returns null where there is nothing, or what is there is no UTF-8 text
 */
export function answerExcerpt(body: Buffer, secrets: readonly string[]): string | null {
  const text = decode(body)
  if (text === undefined || text === '' || NO_TEXT.test(text)) return null
  // Hidden in place and before it is cut, so that no half of a secret stays at the end.
  const forms = secrets.flatMap(formsOf)
  const hidden = forms.reduce((shown, form) => shown.replaceAll(form, hide), text)
  const clean = hidden.replaceAll(OWN_SECRET, hide).replaceAll(LONG_NUMBER, hide)
  return clean.slice(0, LENGTH_MAX).toWellFormed()
}

/** Undefined for what is no UTF-8. A character that is cut at the end is left out. */
function decode(body: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body, { stream: true })
  } catch {
    return undefined
  }
}

/** How a secret may be written without its prefix: as it is, as in JSON of PHP, as in an address, or as the bytes of its key. */
function formsOf(secret: string): string[] {
  const base64 = secret.replace(/^whsec_/, '')
  const written = [base64, base64.replaceAll('/', '\\/'), encodeURIComponent(base64)]
  return [...new Set([...written, Buffer.from(base64, 'base64').toString('hex')])].filter((form) => form.length > 8)
}

function hide(found: string): string {
  return '•'.repeat(found.length)
}
