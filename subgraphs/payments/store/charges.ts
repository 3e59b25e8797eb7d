import type { EntityManager } from '@mikro-orm/postgresql'
import { inTransaction, type Database } from '../../../kernel/database.js'
import {
  ChargeEntity,
  ReceiptEntity,
  ReceiptReturnEntity,
  type Charge,
  type StoredReceipt,
  type StoredReturn,
} from './charge.entity.js'

/** A charge with the money that came for it and went back. Changes of these objects are saved with their transaction. */
export interface ChargeRecord {
  charge: Charge
  receipts: StoredReceipt[]
  returns: StoredReturn[]
}

/** Charges at providers, their receipts and returns; all of a payment's are changed under the payment's row lock. */
export interface ChargesStore {
  find: (tenantId: string, id: string) => Promise<Charge | undefined>
  findMany: (tenantId: string, ids: readonly string[]) => Promise<(Charge | undefined)[]>
  /** By what a callback names: the provider knows nothing of tenants. */
  findByReference: (rail: string, reference: string) => Promise<Charge | undefined>
  findByReceipt: (rail: string, receiptId: string) => Promise<Charge | undefined>
  findReturn: (key: Pick<StoredReturn, 'tenantId' | 'rail' | 'receiptId' | 'id'>) => Promise<StoredReturn | undefined>
  /** The payment's newest charge. */
  newestOf: (em: EntityManager, payment: { tenantId: string; id: string }) => Promise<Charge | undefined>
  /** The money that was taken for the payment, for whichever of its charges. */
  acceptedOf: (em: EntityManager, payment: { tenantId: string; id: string }) => Promise<StoredReceipt | undefined>
  load: (em: EntityManager, key: { tenantId: string; id: string }) => Promise<ChargeRecord>
  add: (em: EntityManager, charge: Charge) => Charge
  addReceipt: (em: EntityManager, receipt: StoredReceipt) => StoredReceipt
  addReturn: (em: EntityManager, returned: StoredReturn) => StoredReturn
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
    findByReceipt: (rail, receiptId) =>
      inTransaction(db, async (em) => {
        const receipt = await em.findOne(ReceiptEntity, { rail, id: receiptId })
        if (!receipt) return undefined
        return (await em.findOne(ChargeEntity, { tenantId: receipt.tenantId, id: receipt.chargeId })) ?? undefined
      }),
    findReturn: ({ tenantId, rail, receiptId, id }) =>
      inTransaction(
        db,
        async (em) => (await em.findOne(ReceiptReturnEntity, { tenantId, rail, receiptId, id })) ?? undefined,
      ),
    newestOf: async (em, { tenantId, id: paymentId }) => {
      const [newest] = await em.find(ChargeEntity, { tenantId, paymentId }, { orderBy: { attempt: 'desc' }, limit: 1 })
      return newest
    },
    acceptedOf: async (em, { tenantId, id: paymentId }) =>
      (await em.findOne(ReceiptEntity, { tenantId, paymentId, outcome: 'accepted' })) ?? undefined,
    load: async (em, { tenantId, id }) => {
      const charge = await em.findOneOrFail(ChargeEntity, { tenantId, id })
      const receipts = await em.find(ReceiptEntity, { tenantId, chargeId: id }, { orderBy: { receivedAt: 'asc' } })
      const returns = await em.find(
        ReceiptReturnEntity,
        { tenantId, rail: charge.rail, receiptId: { $in: receipts.map((receipt) => receipt.id) } },
        { orderBy: { createdAt: 'asc' } },
      )
      return { charge, receipts, returns }
    },
    add: (em, charge) => {
      const managed = em.create(ChargeEntity, charge)
      em.persist(managed)
      return managed
    },
    addReceipt: (em, receipt) => {
      const managed = em.create(ReceiptEntity, receipt)
      em.persist(managed)
      return managed
    },
    addReturn: (em, returned) => {
      const managed = em.create(ReceiptReturnEntity, returned)
      em.persist(managed)
      return managed
    },
  }
}
