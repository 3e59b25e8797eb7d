import type { ChargeRecord } from '../store/charge-records.js'
import type { Payout } from '../store/payout.entity.js'
import { isWithheld } from './withhold-payouts.js'

/** How receivers were paid, in the words of the API. */
interface CryptoPaymentDetails {
  chain_name: string
  amount_usdt: string
  receiver_wallet: string
  transaction_hash: string | null
}

/** One of the transfers by which receivers were paid. */
interface CryptoTransfer {
  receiver_wallet: string
  amount: string
  token: string
  chain: string
  transaction_hash: string | null
}

/**
 * What `global_payment_data` shows of a payment that a provider charges: the charge with its `status` and
 * `confirmed_at`, what came and went back, and once the receivers are paid `crypto_payment_details`, which speaks of the first
 * receiver, and `transfers`, which lists all.
 */
export function chargeSummary(record: ChargeRecord, payouts: readonly Payout[] = []): object {
  const { charge, receivedPayments } = record
  const { pix_copia_e_cola: _code, ...data } = charge.data ?? {}
  const accepted = receivedPayments.find(({ outcome }) => outcome === 'accepted')
  return {
    ...data,
    currency: charge.currency,
    expires_at: charge.expiresAt.toISOString(),
    confirmed_at: charge.confirmedAt?.toISOString() ?? null,
    receipt_id: accepted?.id ?? null,
    returns: returnsOf(record),
    ...payoutDetails(payouts),
  }
}

/** What went back, or is on its way, of all money that came for the payment, for whichever of its charges. */
export function returnsOf({ refunds, otherRefunds }: ChargeRecord): object[] {
  return [...otherRefunds, ...refunds].map(({ receiptId, amount, status, forced, reason }) => {
    return { receipt_id: receiptId, amount, status, forced, reason }
  })
}

function payoutDetails(all: readonly Payout[]): object {
  const payouts = all.filter((payout) => !isWithheld(payout))
  const [first] = payouts
  if (!first || payouts.some(({ state }) => state !== 'confirmed')) return { crypto_payment_details: null }
  const details: CryptoPaymentDetails = {
    chain_name: first.chainName,
    amount_usdt: first.amount,
    receiver_wallet: first.receiver,
    transaction_hash: first.hash ?? null,
  }
  const transfers = payouts.map(({ chainName: chain, symbol: token, amount, receiver, hash }): CryptoTransfer => {
    return { receiver_wallet: receiver, amount, token, chain, transaction_hash: hash ?? null }
  })
  return { crypto_payment_details: details, transfers }
}
