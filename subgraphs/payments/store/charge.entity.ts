import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql'
import type { CardOnFile, ChargeData, ChargeState, StoredRefundStatus } from '../model/charge.js'

/**
 * One attempt to charge a payer at a provider. It is written down with its reference before the provider is asked, so
 * that a crash leaves nothing that nobody knows of.
 */
export const ChargeEntity = defineEntity({
  name: 'Charge',
  tableName: 'charge',
  properties: {
    tenantId: p.string().primary(),
    id: p.string().primary(),
    paymentId: p.string(),
    /** Counts the payment's charges from 1. */
    attempt: p.integer(),
    rail: p.string(),
    /** The id under which the provider knows it. */
    reference: p.string(),
    state: p.string().$type<ChargeState>(),
    currency: p.string(),
    amount: p.string(),
    /** The locked price of the receivers' crypto; null where they get fiat. */
    quoteId: p.string().nullable(),
    /** What the platform takes of fiat that the provider shares out; null where it takes nothing, or the quote says what. */
    platformFee: p.string().nullable(),
    /** Whom it went to at the provider: what goes back has to come from there. */
    feeRecipient: p.string().nullable(),
    /** The idempotency key of the request that charged at once. */
    requestKey: p.string().nullable(),
    /** And the fingerprint of what it asked for, the card included; forgotten once the key has lapsed. */
    requestFingerprint: p.string().nullable(),
    payerMasked: p.string(),
    payerHash: p.string(),
    data: p.json<ChargeData>().nullable(),
    /** By what a subscription's payer can be charged again; the provider's own ids, which callers never see. */
    cardOnFile: p.json<CardOnFile>().nullable(),
    createdAt: p.datetime(3),
    /** Money that comes later is given back. */
    expiresAt: p.datetime(3),
    /** Until then the provider is asked now and then, whatever callbacks came. */
    watchUntil: p.datetime(3),
    confirmedAt: p.datetime(3).nullable(),
  },
})
export type Charge = InferEntity<typeof ChargeEntity>

/** Money that a provider received for a charge, once per movement. */
export const ReceivedPaymentEntity = defineEntity({
  name: 'Receipt',
  tableName: 'receipt',
  properties: {
    tenantId: p.string().primary(),
    rail: p.string().primary(),
    /** The provider's id of the movement. */
    id: p.string().primary(),
    chargeId: p.string(),
    paymentId: p.string(),
    currency: p.string(),
    amount: p.string(),
    receivedAt: p.datetime(3),
    /** What the provider took for it, by its own figures; null where it has not said. */
    providerFee: p.string().nullable(),
    /** `accepted`: it pays the payment; `returned`: it goes back to the payer, for `reason`. */
    outcome: p.string().$type<'accepted' | 'returned'>(),
    reason: p.string().nullable(),
    createdAt: p.datetime(3),
  },
})
export type StoredReceivedPayment = InferEntity<typeof ReceivedPaymentEntity>

/** Money of a receipt on its way back to the payer. */
export const RefundEntity = defineEntity({
  name: 'ReceiptReturn',
  tableName: 'receipt_return',
  properties: {
    tenantId: p.string().primary(),
    rail: p.string().primary(),
    receiptId: p.string().primary(),
    id: p.string().primary(),
    amount: p.string(),
    status: p.string().$type<StoredRefundStatus>(),
    /** Not by our order. */
    forced: p.boolean(),
    reason: p.string(),
    /**
     * By whose order: `service`: ours, of money that pays no payment; `tenant`; `provider`: nobody's here, the provider did it
     * by force or for somebody in its dashboard.
     */
    origin: p.string().$type<'service' | 'tenant' | 'provider'>(),
    /** By what tenants know it; null where it is no refund of a payment. */
    refundId: p.string().nullable(),
    /** What of it the platform gives back of its fee; null where that is nothing. */
    platformFee: p.string().nullable(),
    /**
     * What of it each receiver bears, by its place in the payment's split, in decimal strings: the same however often it is sent. Null
     * where the provider has not shared the money out, and of refunds of the version before.
     */
    shares: p.json<string[]>().nullable(),
    /** When the provider was first asked, or was about to be. */
    sentAt: p.datetime(3).nullable(),
    /** When the provider has refused it after a try that it had not answered; null while it has not. */
    refusedAt: p.datetime(3).nullable(),
    /** When the provider had done or refused it. */
    endedAt: p.datetime(3).nullable(),
    /** Of what is taken back by force: when the provider had changed its charge by the answer that booked it as it is; null where it says no time. */
    changedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
  },
})
export type StoredRefund = InferEntity<typeof RefundEntity>
