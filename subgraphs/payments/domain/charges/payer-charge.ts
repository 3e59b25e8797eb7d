import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../../../../kernel/errors.js'
import { ProviderError } from '../../../../kernel/provider-error.js'
import { payableMethods } from '../../../../terms/methods.js'
import { takesNoMoney } from '../../model/attempt-rules.js'
import { isPaid } from '../../model/settled.js'
import type { Markets } from '../../prices/market.js'
import { railOfType, type Rails } from '../../rails/find-rail.js'
import type { Charge } from '../../store/charge.entity.js'
import type { Payment } from '../../store/payment.entity.js'
import { chargedAmount } from './price-charge.js'

/** What a payer is charged by Pix or card, in the provider's currency; `amount` is a decimal string. */
export interface PayerCharge {
  amount: string
  currency: string
  /** Whether it is the price of now: the charge that fixes the sum is not made yet. */
  isEstimate: boolean
}

/** What telling a payer's charge needs. */
export type PayerChargeDeps = Markets &
  Rails & { chargeById: (tenantId: string, id: string) => Promise<Charge | undefined> }

/** So long a page waits for a price that it only shows: it opens where a source of prices hangs, too. */
const PRICE_WAIT_MS = 1_500

/**
 * What the payer of a payment is charged: the charge that waits or was paid, and before that what it would be by the market of now, by the
 * first of the methods that a provider charges.
 * @returns null where no provider is to charge him, where it cannot be charged, and where there is no price right now
 */
export async function readPayerCharge(deps: PayerChargeDeps, payment: Payment): Promise<PayerCharge | null> {
  const { tenantId, chargeId, status, transactionType } = payment
  const charge = chargeId == null ? undefined : await deps.chargeById(tenantId, chargeId)
  // The charge of an attempt that has failed says nothing of the next one.
  if (charge && (status === 'pending' || status === 'success' || charge.confirmedAt))
    return { amount: charge.amount, currency: charge.currency, isEstimate: false }
  const isByWallet = status === 'pending' && transactionType === 'crypto'
  if (isByWallet || isPaid(payment) || takesNoMoney(payment)) return null
  const rail = payableMethods(payment.paymentMethodAllowed)
    .map((method) => railOfType(deps, method))
    .find((known) => known?.kind === 'charge')
  if (rail?.kind !== 'charge') return null
  // It is only shown: no price is accepted by it, and nobody is told of one that is not.
  const shown: Markets = { ...deps, payableMarket: (from, to) => deps.findMarket(from, to) }
  const amount = await inTime(chargedAmount(shown, rail, payment))
  return amount === undefined ? null : { amount, currency: rail.adapter.currency, isEstimate: true }
}

/** @returns undefined where there is no price, or none in time */
async function inTime(price: Promise<string>): Promise<string | undefined> {
  const done = new AbortController()
  const late = delay(PRICE_WAIT_MS, undefined, { signal: done.signal, ref: false }).catch(() => undefined)
  const known = price.catch((error: unknown) => {
    if (error instanceof AppError || error instanceof ProviderError) return undefined
    throw error
  })
  try {
    return await Promise.race([known, late])
  } finally {
    done.abort()
  }
}
