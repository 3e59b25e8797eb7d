import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql'
import { columnsOf, timesOf, withTimes } from '../../../kernel/columns.js'
import type { HoldReason, WaitReason } from '../model/hold-reason.js'

/** What one receiver of a payment is paid by the treasury: written once, with the confirmation of the charge. */
export const PayoutEntity = defineEntity({
  name: 'Payout',
  tableName: 'payout',
  properties: {
    tenantId: p.string().primary(),
    paymentId: p.string().primary(),
    /** The receiver's place in the payment's split, from 0. */
    splitIndex: p.integer().fieldName('leg').primary(),
    chainName: p.string(),
    symbol: p.string(),
    receiver: p.string(),
    /** A decimal string; what refunds have left of it. */
    amount: p.string(),
    /** What refunds have taken off. */
    withheld: p.string(),
    /** Its part of the payer's money, of which nobody was given back; a decimal string in the currency that was charged. */
    fiatAmount: p.string(),
    /**
     * The fiat that `amount` was converted for. It is more than `fiatAmount` where a refund was ordered while the payout was on its way,
     * which somebody else has paid; null where nobody has noted it: then they are the same.
     */
    convertedFiat: p.string().nullable(),
    /**
     * `waiting`: no transaction is on its way; `sending`: one is, or may be; `cancelled`: all of the money went back before;
     * `held`: an operator has to decide, see `holdReason`.
     */
    state: p.string().$type<'waiting' | 'sending' | 'confirmed' | 'cancelled' | 'held'>(),
    /** Why it is not paid yet, where something holds it or held it. */
    holdReason: p.string().$type<HoldReason>().nullable(),
    /** Until when its tenant's delay holds it, whatever else holds it meanwhile; null where none does, or an operator has ended it. */
    delayedUntil: p.datetime(3).nullable(),
    /** When it was held last since the treasury may have made it before a restore, of which no log tells; null where it never was. */
    coinsHeldAt: p.datetime(3).nullable(),
    /** What it was rescheduled for last, until it is paid; null where it never was. */
    waitsFor: p.string().$type<WaitReason>().nullable(),
    /** How many batches it was in; the earlier ones are known to have moved nothing to it. What is taken off it while it waits counts too. */
    attempt: p.integer(),
    /** How often no transaction was made for it because that would have failed. */
    failedTries: p.integer(),
    /** How often a transaction that a node had called good has landed and not paid it; what was sent to free a nonce does not count. */
    revertedTries: p.integer(),
    notBefore: p.datetime(3),
    /** The hash of the transaction that paid it. */
    hash: p.string().nullable(),
    createdAt: p.datetime(3),
    confirmedAt: p.datetime(3).nullable(),
  },
})
export type Payout = InferEntity<typeof PayoutEntity>

/** Its columns for a select, as `columnsOf` gives them. */
export const PAYOUT_COLUMNS = Object.keys(PayoutEntity.meta.properties)
  .map((property) => (property === 'splitIndex' ? 'leg as "splitIndex"' : columnsOf([property])))
  .join(', ')

const PAYOUT_TIMES = timesOf(PayoutEntity)

/** A payout that came as JSON; the row becomes it. */
export function readPayout(row: object): Payout {
  return withTimes(row, PAYOUT_TIMES) as Payout
}

/**
 * A signed transaction of the treasury. Nonce, hash and bytes are written down before it is sent. The versions of a batch
 * share its nonce, so the chain takes one of them at most.
 */
export const TreasuryTransactionEntity = defineEntity({
  name: 'TreasuryTransaction',
  tableName: 'treasury_transaction',
  properties: {
    chainName: p.string().primary(),
    hash: p.string().primary(),
    /** The treasury's address. */
    account: p.string(),
    /** Which payouts it pays: see `BatchLeg`. A batch without legs prepares the account for batches. */
    batchId: p.string(),
    version: p.integer(),
    /** Of EVM chains. */
    nonce: p.integer().nullable(),
    /** On Solana: the account whose durable nonce it lives by, the nonce, and a slot at which the account held that. */
    nonceAccount: p.string().nullable(),
    nonceValue: p.string().nullable(),
    nonceSlot: p.bigint('number').nullable(),
    /** The last block height at which the chain may take it, where it lives by a blockhash. */
    validUntil: p.integer().nullable(),
    raw: p.text(),
    /**
     * `stored`: maybe not sent; `sent`; `confirmed`: it landed; `failed`: it landed and moved nothing; `void`: dropped, it can
     * never land; `unexpected`: something else took its place, or nobody can prove what became of it, and an operator decides.
     */
    state: p.string().$type<'stored' | 'sent' | 'confirmed' | 'failed' | 'void' | 'unexpected'>(),
    createdAt: p.datetime(3),
    /** The block that held it when it was called confirmed, on EVM chains. */
    blockNumber: p.integer().nullable(),
    /** The same on Solana, and of what was found after a restore. */
    slot: p.bigint('number').nullable(),
    blockHash: p.string().nullable(),
    /**
     * When to look at it again though it is over: confirmed, until its block is final; dropped on chains where that is
     * known from nodes' words only, for a day. Null: nothing can change any more.
     */
    checkAt: p.datetime(3).nullable(),
    /** Since when an operator wants that it pays nobody: where it does not land its payouts are held. Of all versions. */
    cancelledAt: p.datetime(3).nullable(),
  },
})
export type TreasuryTransaction = InferEntity<typeof TreasuryTransactionEntity>

/** Its columns for a select, as `columnsOf` gives them. */
export const TRANSACTION_COLUMNS = columnsOf(Object.keys(TreasuryTransactionEntity.meta.properties))

const TRANSACTION_TIMES = timesOf(TreasuryTransactionEntity)

/** A transaction that came as JSON; the row becomes it. */
export function readTransaction(row: object): TreasuryTransaction {
  return withTimes(row, TRANSACTION_TIMES) as TreasuryTransaction
}

/** One payout of a batch, and what came of it. Written with the batch; its outcome with what follows from it. */
export const BatchLegEntity = defineEntity({
  name: 'BatchLeg',
  tableName: 'batch_leg',
  properties: {
    batchId: p.string().primary(),
    /** In the batch, from 0. */
    position: p.integer().primary(),
    tenantId: p.string(),
    paymentId: p.string(),
    splitIndex: p.integer().fieldName('leg'),
    /** The payout's attempt that this is. */
    attempt: p.integer(),
    /** What was signed for it, a decimal string: a refund may make the payout less once this is called dropped. */
    amount: p.string(),
    /**
     * Null: it may still be paid. `unpaid`: the batch is over, and moved nothing to this receiver; `unproven`: the batch
     * landed and shows something else than what was asked for; `void`: dropped, as far as is known the batch can never land.
     */
    outcome: p.string().$type<LegOutcome>().nullable(),
  },
})
export type LegOutcome = 'paid' | 'unpaid' | 'unproven' | 'void'
export type BatchLeg = InferEntity<typeof BatchLegEntity>
