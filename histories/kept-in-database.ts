import type { EntityManager } from '@mikro-orm/postgresql'
import type { Clock } from '../kernel/clock.js'
import { inTransaction, type Database } from '../kernel/database.js'
import { keyRing } from '../kernel/encryption.js'
import type { JobRequest } from '../kernel/jobs.js'
import { createLog } from '../kernel/log.js'
import { releasePayouts } from '../subgraphs/payments/settlement/release-payouts.js'
import { ChargeEntity, ReceivedPaymentEntity, RefundEntity } from '../subgraphs/payments/store/charge.entity.js'
import { PaymentEntity } from '../subgraphs/payments/store/payment.entity.js'
import { BatchLegEntity, PayoutEntity, TreasuryTransactionEntity } from '../subgraphs/payments/store/payout.entity.js'
import { QuoteEntity } from '../subgraphs/payments/store/quotes.js'
import { openStores } from '../subgraphs/payments/store/stores.js'
import { openMemory, type BookedLine, type KeptPayable, type Tables } from './memory.js'
import type { Kept, Terms } from './kept.js'

const TENANT = 'tenant'
const KEPT_AS_THEY_ARE = ['migration', 'ledger_fence']

const LINES = `select tenant_id as "tenantId", payment_id as "paymentId", entry, line, account, currency,
  trim_scale(debit)::text as debit, trim_scale(credit)::text as credit from payments.ledger_line
  order by created_at, payment_id, entry, line`
const PAYABLES = `select id, receipt_id as "receiptId", type, amount, fee, is_ours as "isOurs", version, booked_at as "bookedAt"
  from payments.provider_payable order by id`
const DUE = `select job.id::text, task.identifier as name, job.payload, job.revision
  from graphile_worker._private_jobs as job join graphile_worker._private_tasks as task on task.id = job.task_id
  where task.identifier = $1 and job.run_at <= now() order by job.id`
const PASS = `update graphile_worker._private_jobs set run_at = run_at - $1 * interval '1 millisecond'`
const END = 'delete from graphile_worker._private_jobs where id = $1 and revision = $2'

interface DueJob extends JobRequest {
  id: string
  revision: number
}

/**
 * Keeps everything in a database of the product's, by the product's own stores: one history after the other, each in empty tables.
 * @param db the schema of payments, in a database that has the one of jobs too, and that nobody else uses
 */
export async function keptInDatabase(db: Database, clock: Clock, terms: Terms): Promise<Kept> {
  await empty(db)
  const log = createLog('silent')
  const stores = openStores(db, {
    clock,
    log,
    sealing: keyRing([Buffer.alloc(32, 1)], 'histories'),
    follow: () => Promise.resolve(),
  })
  if (terms.reservePercent !== undefined) await stores.refunds.setReserve(TENANT, terms.reservePercent)
  await stores.fees.setGasRecovery(TENANT, terms.bearsGas)
  for (const rail of ['pix', 'card']) await stores.risk.setDelay(TENANT, rail, terms.delayMinutes)
  const memory = openMemory()
  let passedMs = clock.aheadMs()
  const timePasses = async (): Promise<void> => {
    const passed = clock.aheadMs() - passedMs
    passedMs += passed
    if (passed > 0) await db.pool.query(PASS, [passed])
  }
  return {
    memory,
    stores,
    timePasses,
    refresh: async () => {
      await timePasses()
      memory.tables = await inTransaction(db, read)
    },
    begin: () =>
      inTransaction(db, async (em) => {
        write(em, memory.tables)
        for (const address of memory.tables.addresses) await stores.addresses.open(em, address)
      }),
    dueJobs: async (name) => (await db.pool.query<DueJob & Record<string, unknown>>(DUE, [name])).rows,
    endJob: async (job) => {
      const { id, revision } = job as DueJob
      await db.pool.query(END, [id, revision])
    },
    release: async (paymentId) => {
      await releasePayouts(db, clock, paymentId)
    },
    check: () => stores.ledger.findDiscrepancies({ isAll: true }),
  }
}

async function empty({ pool }: Database): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `select format('payments.%I', tablename) as name from pg_tables where schemaname = 'payments' and tablename <> all($1)`,
    [KEPT_AS_THEY_ARE],
  )
  await pool.query(`truncate ${[...rows.map(({ name }) => name), 'graphile_worker._private_jobs'].join(', ')}`)
}

function write(em: EntityManager, { payments, quotes, charges }: Tables): void {
  for (const payment of payments) em.persist(em.create(PaymentEntity, payment))
  for (const quote of quotes) em.persist(em.create(QuoteEntity, quote))
  for (const charge of charges) em.persist(em.create(ChargeEntity, charge))
}

async function read(em: EntityManager): Promise<Tables> {
  const inOrder = { orderBy: { createdAt: 'asc', id: 'asc' } } as const
  return {
    payments: await em.find(PaymentEntity, {}, { orderBy: { id: 'asc' } }),
    charges: await em.find(ChargeEntity, {}, { orderBy: { id: 'asc' } }),
    receipts: await em.find(ReceivedPaymentEntity, {}, inOrder),
    refunds: await em.find(RefundEntity, {}, inOrder),
    payouts: await em.find(PayoutEntity, {}, { orderBy: { paymentId: 'asc', splitIndex: 'asc' } }),
    transactions: await em.find(TreasuryTransactionEntity, {}, { orderBy: { nonce: 'asc', version: 'asc' } }),
    legs: await em.find(BatchLegEntity, {}),
    quotes: await em.find(QuoteEntity, {}),
    payables: await rowsOf<KeptPayable>(em, PAYABLES),
    lines: await rowsOf<BookedLine>(em, LINES),
    differences: [],
    addresses: [],
    deposits: [],
    jobs: [],
  }
}

function rowsOf<Row>(em: EntityManager, sql: string): Promise<Row[]> {
  return em.getConnection().execute<Row[]>(sql, [], 'all', em.getTransactionContext())
}
