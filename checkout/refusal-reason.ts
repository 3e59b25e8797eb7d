import type { ReadPayment } from './read-payment.js'

/** The return codes of Brazil's acquirers (Abecs' standard), by what a payer can do about them. */
const REASONS: readonly (readonly [string, readonly string[]])[] = [
  ['insufficient_funds', ['51', '61', '65', '1016', '1025']],
  ['expired_card', ['54', '1001']],
  ['wrong_code', ['55', '63', '82', 'N7', '1012', '1045']],
  ['blocked_card', ['04', '07', '41', '43', '57', '62', '78', '1004', '1007', '1008', '1009', '1011']],
  ['suspected_fraud', ['59', '1002']],
  ['not_authorized', ['05', '1000', '1022', '9102']],
]

/** Why a payment was refused, as a code that the page has a text for. Nothing of what the processor wrote is passed on. */
export function reasonOf({ status, dataError, globalPaymentData }: ReadPayment): string {
  if (status === 'ERROR') return dataError?.code ?? 'other'
  const { charges } = (globalPaymentData ?? {}) as { charges?: readonly { last_transaction?: Transaction }[] }
  const transaction = charges?.[0]?.last_transaction
  if (transaction?.antifraud_response?.status === 'reproved') return 'suspected_fraud'
  if (dataError?.code === 'authentication_failed') return 'not_authenticated'
  const code = transaction?.acquirer_return_code
  return REASONS.find(([, codes]) => code !== undefined && codes.includes(code))?.[0] ?? 'charge_refused'
}

interface Transaction {
  acquirer_return_code?: string
  antifraud_response?: { status?: string }
}
