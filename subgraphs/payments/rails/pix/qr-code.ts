import qrcode from 'qrcode'

/**
 * A QR code that shows a text, as a PNG in a data URL (`data:image/png;base64,…`, about 4 kB).
 * @param text e.g. a BR Code; at most about 2900 characters
 */
export function qrCodeDataUrl(text: string): Promise<string> {
  return qrcode.toDataURL(text, { errorCorrectionLevel: 'M', margin: 2, width: 300 })
}
