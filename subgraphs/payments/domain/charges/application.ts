import type { Transaction } from '../../../../kernel/database.js'
import type { EnabledChains } from '../../model/chain-access.js'
import type { ChargeView } from '../../model/charge.js'
import type { LedgerEntry } from '../../model/ledger-entries.js'
import type { PaymentCause } from '../../model/payment-cause.js'
import type { Runtime } from '../../model/runtime.js'
import type { ChargeRail } from '../../rails/rail.js'
import type { HandleChargebackDeps } from '../../settlement/handle-chargeback.js'
import type { IsChargedAgainDeps } from './is-charged-again.js'
import type { PriceAgainDeps } from './price-again.js'
import type { ChargeRecord } from '../../store/charge-records.js'
import type { Payment, PaymentChange } from '../../store/payment.entity.js'
import type { Quote } from '../../store/quotes.js'
import type { Stores } from '../../store/stores.js'

/** What bringing a payment up to its charge needs. */
export type ApplyChargeDeps = HandleChargebackDeps &
  EnabledChains &
  IsChargedAgainDeps &
  PriceAgainDeps &
  Pick<Runtime, 'log' | 'newId'> &
  Pick<Stores, 'charges' | 'differences' | 'payments' | 'quotes' | 'refunds' | 'risk'>

/** A charge about which the provider has told something, worked on under its payment's row lock. */
export interface ChargeUpdate {
  deps: ApplyChargeDeps
  rail: ChargeRail
  em: Transaction
  payment: Payment
  record: ChargeRecord
  now: Date
  /** What happened, most important last. */
  causes: PaymentCause[]
  change: PaymentChange
}

/** A charge as the provider shows it, about to be applied. */
export interface Application extends ChargeUpdate {
  view: ChargeView
  /** The chains on which receivers are owed something from now on. */
  chainsToSettle: Set<string>
  /** What takes the place of the charge's quote, where that has ended. */
  pricedAgain: Quote | undefined
}

/** Writes a movement of the charge's money into the ledger. */
export function book({ deps, em, record, now }: ChargeUpdate, ...entries: readonly LedgerEntry[]): Promise<void> {
  const { tenantId, paymentId } = record.charge
  return deps.ledger.book(em, { tenantId, paymentId, at: now }, ...entries)
}

/** Whether the provider that charges shares the money out by itself, in fiat. */
export function isSharedByProvider({ rail, payment }: Pick<ChargeUpdate, 'rail' | 'payment'>): boolean {
  return rail.types[payment.transactionType ?? '']?.settlesInFiat === true
}
