/**
 * The id of a charge at the Pix provider (26 to 35 letters and digits): our payment id and the attempt's number in three
 * digits of base 36. A process that repeats an attempt after a crash asks for the same charge.
 * @param attempt from 1
 * @throws RangeError where the payment id or the attempt does not fit
 */
export function txidOf(paymentId: string, attempt: number): string {
  const txid = paymentId + attempt.toString(36).padStart(3, '0')
  if (!isTxid(txid) || !Number.isInteger(attempt) || attempt < 1 || attempt >= 36 ** 3) {
    throw new RangeError('no txid can be made of this payment id and attempt')
  }
  return txid
}

/** What a txid was made of; undefined where it is none of ours by its form. */
export function attemptOfTxid(txid: string): { paymentId: string; attempt: number } | undefined {
  const [, paymentId, digits] = /^(c[0-9a-z]{20,31})([0-9a-z]{3})$/.exec(txid) ?? []
  if (paymentId === undefined || digits === undefined) return undefined
  const attempt = parseInt(digits, 36)
  return attempt < 1 ? undefined : { paymentId, attempt }
}

/** Whether a text has the form of a txid of an immediate charge. The published pattern lacks its anchors. */
export function isTxid(text: string): boolean {
  return /^[a-zA-Z0-9]{26,35}$/.test(text)
}
