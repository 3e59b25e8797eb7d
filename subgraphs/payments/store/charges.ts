import type { EntityManager } from '@mikro-orm/postgresql'
import { inTransaction, type Database } from '../../../kernel/database.js'
import {
  ChargeEntity,
  ReceivedPaymentEntity,
  RefundEntity,
  type Charge,
  type StoredReceivedPayment,
  type StoredRefund,
} from './charge.entity.js'

/** A charge with the money that came for it and went back. Changes of these objects are saved with their transaction. */
export interface ChargeRecord {
  charge: Charge
  receivedPayments: StoredReceivedPayment[]
  refunds: StoredRefund[]
}

/** Charges at providers, their received payments and refunds; all of a payment's are changed under the payment's row lock. */
export interface ChargesStore {
  find: (tenantId: string, id: string) => Promise<Charge | undefined>
  findMany: (tenantId: string, ids: readonly string[]) => Promise<(Charge | undefined)[]>
  /** By what a callback names: the provider knows nothing of tenants. */
  findByReference: (rail: string, reference: string) => Promise<Charge | undefined>
  findByReceivedPayment: (rail: string, receiptId: string) => Promise<Charge | undefined>
  findRefund: (key: Pick<StoredRefund, 'tenantId' | 'rail' | 'receiptId' | 'id'>) => Promise<StoredRefund | undefined>
  /** The payment's newest charge. */
  newestOf: (em: EntityManager, payment: { tenantId: string; id: string }) => Promise<Charge | undefined>
  /** The money that was taken for the payment, for whichever of its charges. */
  acceptedOf: (
    em: EntityManager,
    payment: { tenantId: string; id: string },
  ) => Promise<StoredReceivedPayment | undefined>
  load: (em: EntityManager, key: { tenantId: string; id: string }) => Promise<ChargeRecord>
  add: (em: EntityManager, charge: Charge) => Charge
  addReceivedPayment: (em: EntityManager, receipt: StoredReceivedPayment) => StoredReceivedPayment
  addRefund: (em: EntityManager, returned: StoredRefund) => StoredRefund
}

/** The charges in the schema of payments. Each method throws what the database throws. */
export function chargesStore(db: Database): ChargesStore {
  return {
    find: (tenantId, id) =>
      db.orm.em
        .fork()
        .findOne(ChargeEntity, { tenantId, id })
        .then((charge) => charge ?? undefined),
    findMany: async (tenantId, ids) => {
      const found = await db.orm.em.fork().find(ChargeEntity, { tenantId, id: { $in: [...ids] } })
      const byId = new Map(found.map((charge) => [charge.id, charge]))
      return ids.map((id) => byId.get(id))
    },
    findByReference: (rail, reference) =>
      db.orm.em
        .fork()
        .findOne(ChargeEntity, { rail, reference })
        .then((charge) => charge ?? undefined),
    findByReceivedPayment: (rail, receiptId) =>
      inTransaction(db, async (em) => {
        const receipt = await em.findOne(ReceivedPaymentEntity, { rail, id: receiptId })
        if (!receipt) return undefined
        return (await em.findOne(ChargeEntity, { tenantId: receipt.tenantId, id: receipt.chargeId })) ?? undefined
      }),
    findRefund: ({ tenantId, rail, receiptId, id }) =>
      inTransaction(db, async (em) => (await em.findOne(RefundEntity, { tenantId, rail, receiptId, id })) ?? undefined),
    newestOf: async (em, { tenantId, id: paymentId }) => {
      const [newest] = await em.find(ChargeEntity, { tenantId, paymentId }, { orderBy: { attempt: 'desc' }, limit: 1 })
      return newest
    },
    acceptedOf: async (em, { tenantId, id: paymentId }) =>
      (await em.findOne(ReceivedPaymentEntity, { tenantId, paymentId, outcome: 'accepted' })) ?? undefined,
    load: async (em, { tenantId, id }) => {
      const charge = await em.findOneOrFail(ChargeEntity, { tenantId, id })
      const receivedPayments = await em.find(
        ReceivedPaymentEntity,
        { tenantId, chargeId: id },
        { orderBy: { receivedAt: 'asc' } },
      )
      const refunds = await em.find(
        RefundEntity,
        { tenantId, rail: charge.rail, receiptId: { $in: receivedPayments.map((received) => received.id) } },
        { orderBy: { createdAt: 'asc' } },
      )
      return { charge, receivedPayments, refunds }
    },
    add: (em, charge) => {
      const managed = em.create(ChargeEntity, charge)
      em.persist(managed)
      return managed
    },
    addReceivedPayment: (em, receipt) => {
      const managed = em.create(ReceivedPaymentEntity, receipt)
      em.persist(managed)
      return managed
    },
    addRefund: (em, returned) => {
      const managed = em.create(RefundEntity, returned)
      em.persist(managed)
      return managed
    },
  }
}
