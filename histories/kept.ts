import type { Clock } from '../kernel/clock.js'
import type { JobRequest } from '../kernel/jobs.js'
import type { Alert } from '../subgraphs/payments/store/alerts.js'
import { releaseLocked } from '../subgraphs/payments/settlement/release-payouts.js'
import type { RefundsStore } from '../subgraphs/payments/store/refunds.js'
import { addressesIn } from './addresses.js'
import { ledgerIn } from './ledger.js'
import { openMemory, type Memory } from './memory.js'
import { chargesIn, paymentsIn, smallStoresIn } from './stores.js'
import { landedIn, payoutsIn } from './treasury-stores.js'

/** What operators have set for the one tenant. */
export interface Terms {
  reservePercent: string | undefined
  bearsGas: boolean
  delayMinutes: number
}

/** Where a world keeps what its product writes: in memory, or in PostgreSQL. */
export interface Kept {
  /** The tables as they were read last. In memory they are the tables themselves. */
  memory: Memory
  /** The stores under the names that the use cases know. */
  stores: object
  /** To be called when the clock was moved, before anything is written: jobs wait by the database's clock. */
  timePasses: () => Promise<void>
  /** Reads the tables anew. */
  refresh: () => Promise<void>
  /** Writes down what `register` has put into the tables. */
  begin: () => Promise<void>
  /** The jobs of a name that are due by now. */
  dueJobs: (name: string) => Promise<readonly JobRequest[]>
  /** One is done; what was added under its key meanwhile stays. */
  endJob: (job: JobRequest) => Promise<void>
  /** Has a payment's receivers paid although something holds them. */
  release: (paymentId: string) => Promise<void>
  /** What the product's own check says of books and payments. */
  check: () => Promise<readonly string[]>
}

/** Keeps everything in memory. */
export function keptInMemory(clock: Clock, terms: Terms): Kept {
  const memory = openMemory()
  return {
    memory,
    stores: storesIn(memory, clock, terms),
    timePasses: () => Promise.resolve(),
    refresh: () => Promise.resolve(),
    begin: () => Promise.resolve(),
    dueJobs: (wanted) => {
      const due = memory.tables.jobs.filter(({ runAt }) => runAt === undefined || runAt <= clock.now())
      return Promise.resolve(due.filter(({ name }) => name === wanted))
    },
    endJob: (job) => {
      memory.tables.jobs = memory.tables.jobs.filter((one) => one !== job && !isSameRow(one, job))
      return Promise.resolve()
    },
    release: async (paymentId) => {
      const { addJob } = smallStoresIn(memory)
      const deps = { clock, addJob, charges: chargesIn(memory), payouts: payoutsIn(memory) }
      await memory.transaction((em) => releaseLocked(deps, em, { tenantId: 'tenant', id: paymentId }))
    },
    check: () => Promise.resolve([]),
  }
}

function isSameRow(one: JobRequest, job: JobRequest): boolean {
  return one.key !== undefined && one.key === job.key && one.runAt === job.runAt
}

function storesIn(memory: Memory, clock: Clock, terms: Terms): object {
  const alerts: Alert[] = []
  const raise = (alert: Alert): Promise<void> => Promise.resolve(void alerts.push(alert))
  const isTold = (kind: string, subject: string): Promise<boolean> =>
    Promise.resolve(alerts.some((alert) => alert.kind === kind && alert.subject === subject))
  return {
    ...smallStoresIn(memory),
    addresses: addressesIn(memory),
    payments: paymentsIn(memory, clock),
    charges: chargesIn(memory),
    refunds: refundsOf(memory, terms),
    ledger: ledgerIn(memory),
    payouts: payoutsIn(memory),
    landed: landedIn(memory),
    fees: { gasBearers: () => Promise.resolve(new Set(terms.bearsGas ? ['tenant'] : [])) },
    risk: {
      delayMinutes: () => Promise.resolve(terms.delayMinutes),
      lockCap: () => Promise.resolve(undefined),
      refusesThirdParties: () => Promise.resolve(false),
    },
    alerts: {
      ...{ raise, raiseBeside: raise, raiseOnce: raise, isTold },
      ...{ clear: () => Promise.resolve(), clearIn: () => Promise.resolve() },
    },
    foreign: {
      known: () => Promise.resolve({ nonce: 0, block: undefined, signature: undefined, coinsUntil: undefined }),
      matches: () => Promise.resolve(new Map()),
    },
  }
}

/** A refund as its tenant sees it; the columns of `store/refunds.ts`. */
function refundsOf(memory: Memory, { reservePercent }: Terms) {
  const [charges, ledger, payouts] = [chargesIn(memory), ledgerIn(memory), payoutsIn(memory)]
  const store: Pick<RefundsStore, 'readRefundable' | 'order' | 'reservePercent'> = {
    reservePercent: () => Promise.resolve(reservePercent),
    readRefundable: async (em, payment) => {
      const accepted = await charges.acceptedOf(em, payment)
      if (!accepted) return undefined
      const record = await charges.load(em, { tenantId: payment.tenantId, id: accepted.chargeId })
      return { record, payouts: await payouts.lockAll(em, payment) }
    },
    // Its payouts are those of the table.
    order: async (em, { refund, booking }) => {
      charges.addRefund(em, refund)
      await ledger.bookAll(em, [booking])
    },
  }
  return {
    ...store,
    find: (tenantId: string, id: string) => {
      const refund = memory.tables.refunds.find(({ refundId }) => refundId === id)
      return Promise.resolve(refund && { ...refund, tenantId, id, currency: 'BRL', updatedAt: refund.createdAt })
    },
  }
}
