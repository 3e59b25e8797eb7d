import type { Finding } from '../view.js'
import { finding, type Check, type Cob } from './evidence.js'
import { baseUnits } from './money.js'

/** What payers paid by Pix has paid their payment once, or has gone back. */
export const checkPix: Check = ({ cobs, charges, payments, receipts }) => {
  const found: Finding[] = []
  const paymentOf = new Map(charges.filter(({ rail }) => rail === 'pix').map((one) => [one.reference, one.payment_id]))
  const kept = new Map<string, string[]>()
  for (const cob of cobs) {
    const paymentId = paymentOf.get(cob.txid)
    if (paymentId === undefined) {
      if (cob.pix.length > 0) found.push(finding('once', `Pix charge ${cob.txid}, paid`, 'a payment', 'none'))
      continue
    }
    for (const { endToEndId } of cob.pix) {
      if (!receipts.has(endToEndId)) {
        found.push(finding('hangs', `Pix ${endToEndId} of payment ${paymentId}`, 'a receipt', 'none'))
      }
    }
    const { whole, parts } = keptOf(cob)
    for (const one of parts) found.push(finding('balances', `Pix ${one} of ${paymentId}`, 'kept or returned', 'a part'))
    kept.set(paymentId, [...(kept.get(paymentId) ?? []), ...whole])
  }
  for (const { id, status, transaction_type: type } of payments) {
    const ids = kept.get(id) ?? []
    if (ids.length > 1) found.push(finding('once', `Pix kept for payment ${id}`, 'one', ids.join(', ')))
    if (ids.length > 0 && status !== 'success') {
      found.push(
        finding('hangs', `payment ${id}, paid by Pix ${ids.join(', ')}`, 'success, or the Pix returned', status),
      )
    }
    if (ids.length === 0 && status === 'success' && type === 'pixcrypto') {
      found.push(finding('balances', `payment ${id}, success by Pix`, 'a Pix that was kept', 'none'))
    }
  }
  return Promise.resolve(found)
}

/** What came and did not go back: in whole, or a part, which nobody has decided. */
function keptOf({ pix }: Cob): { whole: string[]; parts: string[] } {
  const whole: string[] = []
  const parts: string[] = []
  for (const { endToEndId, valor, devolucoes } of pix) {
    const returned = devolucoes
      .filter(({ status }) => status === 'DEVOLVIDO')
      .reduce((sum, one) => sum + baseUnits(one.valor, 2), 0n)
    if (returned === 0n) whole.push(endToEndId)
    else if (returned !== baseUnits(valor, 2)) parts.push(endToEndId)
  }
  return { whole, parts }
}
