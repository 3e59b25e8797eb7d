import DataLoader from 'dataloader'
import { openDatabase, type Database } from '../../kernel/database.js'
import type { RequestContext } from '../../kernel/subgraph.js'
import type { PaymentsDeps } from './deps.js'
import { PaymentEntity, PaymentEventEntity } from './store/payment.entity.js'
import { CreatePayments } from './store/migrations/0001-payments.js'
import { paymentsStore, type PaymentsStore } from './store/payments.js'

/** What is the same for all requests; the rest is made for each. */
type SharedDeps = Omit<PaymentsDeps, 'payments' | 'paymentById'>

/** Connects payments to its PostgreSQL schema. */
export function openPaymentsDatabase(options: {
  url: string
  poolSize: number
  log: PaymentsDeps['log']
}): Promise<Database> {
  return openDatabase({
    ...options,
    schema: 'payments',
    entities: [PaymentEntity, PaymentEventEntity],
    migrations: [{ name: '0001-payments', class: CreatePayments }],
  })
}

/** Makes the dependencies of a request: everything shared, and loaders that live as long as the request. */
export function paymentsContext(db: Database, shared: SharedDeps): (context: RequestContext) => PaymentsDeps {
  const payments = paymentsStore(db, shared.clock)
  return () => ({ ...shared, payments, paymentById: paymentLoader(payments) })
}

function paymentLoader(payments: PaymentsStore): PaymentsDeps['paymentById'] {
  // One loader per tenant: a request has one tenant, so this is one loader, made when it is first needed.
  const loaders = new Map<string, DataLoader<string, Awaited<ReturnType<PaymentsStore['find']>>>>()
  return (tenantId, id) => {
    const loader = loaders.get(tenantId) ?? new DataLoader((ids: readonly string[]) => payments.findMany(tenantId, ids))
    loaders.set(tenantId, loader)
    return loader.load(id)
  }
}
