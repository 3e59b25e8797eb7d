import type { Transaction } from '../../../../kernel/database.js'
import type { ChainAccess } from '../../model/chain-access.js'
import type { StoredPayer } from '../../model/charge.js'
import type { Runtime } from '../../model/runtime.js'
import type { CreateTransactionInput } from '../../model/transaction-input.js'
import type { LockQuoteDeps } from '../../prices/lock-quote.js'
import type { PlatformFee } from '../../rails/processor-adapter.js'
import type { ChargeRail } from '../../rails/rail.js'
import type { Charge } from '../../store/charge.entity.js'
import type { Payment } from '../../store/payment.entity.js'
import type { Quote } from '../../store/quotes.js'
import type { Stores } from '../../store/stores.js'
import type { SyncChargeDeps } from './sync-charge.js'

/** What creating a charge needs. */
export type CreateChargeDeps = SyncChargeDeps & LockQuoteDeps & ChainAccess & Pick<Stores, 'fees' | 'quotes'>

/** How long after its expiry money may still show up for a charge. */
const WATCH_AFTER_EXPIRY_MS = 24 * 3_600_000

/** What an attempt to charge is made of. */
export interface NewCharge {
  payment: Payment
  rail: ChargeRail
  state: Charge['state']
  payer: StoredPayer
  amount: string
  /** Undefined where the receivers get fiat. */
  quote: Quote | undefined
  /** What the platform gets of it in fiat. */
  platformFee?: string | null
  feeRecipient?: string | null
  expiresAt: Date
  requestKey?: string | undefined
  requestFingerprint?: string | undefined
  /** Of an attempt that the provider knows and we do not; the next one counts on from it. */
  lost?: { reference: string; attempt: number } | undefined
}

/** Writes an attempt down, with its reference and its quote, after the payment's newest. Gives the charge. */
export async function addCharge(
  deps: Pick<Runtime, 'clock' | 'newId'> & Pick<Stores, 'charges' | 'quotes'>,
  em: Transaction,
  { payment, rail, state, payer, amount, quote, expiresAt, ...rest }: NewCharge,
): Promise<Charge> {
  const { adapter, name } = rail
  const newest = (await deps.charges.newestOf(em, payment))?.attempt ?? 0
  const attempt = Math.max(newest + 1, rest.lost?.attempt ?? 1)
  if (quote) deps.quotes.add(em, quote)
  return deps.charges.add(em, {
    tenantId: payment.tenantId,
    id: deps.newId(),
    paymentId: payment.id,
    attempt,
    rail: name,
    reference: rest.lost?.reference ?? adapter.referenceOf(payment.id, attempt),
    state,
    currency: adapter.currency,
    amount,
    quoteId: quote?.id ?? null,
    platformFee: rest.platformFee ?? null,
    feeRecipient: rest.feeRecipient ?? null,
    requestKey: rest.requestKey ?? null,
    requestFingerprint: rest.requestFingerprint ?? null,
    payerMasked: payer.masked,
    payerHash: payer.hash,
    data: null,
    cardOnFile: null,
    createdAt: deps.clock.now(),
    expiresAt,
    watchUntil: new Date(expiresAt.getTime() + WATCH_AFTER_EXPIRY_MS),
    confirmedAt: null,
  })
}

/** What of a charge's fee passes at the provider, all of it or a part; undefined where nothing does. */
export function platformFeeOf(
  { feeRecipient: recipientId }: Pick<Charge, 'feeRecipient'>,
  amount: string | null | undefined,
): PlatformFee | undefined {
  return amount == null || recipientId == null ? undefined : { amount, recipientId }
}

/** The change by which a payment waits for a charge. */
export function pendingChange(charge: Charge, input: CreateTransactionInput, toChain: string | null | undefined) {
  return {
    status: 'pending' as const,
    transactionType: input.transactionType,
    payerEmail: input.payerEmail ?? null,
    payerWallet: input.payerWallet ?? null,
    payerTokenSymbol: null,
    payerCpf: null,
    chainName: toChain ?? input.chainName ?? null,
    amountTo: null,
    quoteId: charge.quoteId ?? null,
    chargeId: charge.id,
    unsignedTransaction: null,
    signedTransaction: null,
    tidHash: null,
    dataError: null,
    globalPaymentData: null,
  }
}
