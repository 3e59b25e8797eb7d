import type { Clock } from '../kernel/clock.js'
import type { JobRequest } from '../kernel/jobs.js'
import type { ChargeRecord } from '../subgraphs/payments/store/charge-records.js'
import type { ChargesStore } from '../subgraphs/payments/store/charges.js'
import type { Charge, StoredRefund } from '../subgraphs/payments/store/charge.entity.js'
import { changesBy, type DecideMany } from '../subgraphs/payments/store/payment-changes.js'
import type { Payment } from '../subgraphs/payments/store/payment.entity.js'
import type { Difference } from '../subgraphs/payments/store/differences.js'
import type { GoneBack } from '../subgraphs/payments/store/payables.js'
import type { Quote } from '../subgraphs/payments/store/quotes.js'
import { amountOf, unitsOf } from '../subgraphs/payments/model/signed-amount.js'
import type { Memory } from './memory.js'

type Reference = { tenantId: string; id: string }

/** Payments, with the writes that decide under their locks. */
export function paymentsIn(memory: Memory, clock: Clock) {
  const changeMany = (references: readonly Reference[], decide: DecideMany): Promise<readonly Payment[]> =>
    memory.transaction(async (em) => {
      const found = memory.tables.payments.filter(({ id }) => references.some((one) => one.id === id))
      const decided = await decide(found, em)
      for (const [payment, recorded] of decided) {
        if (!recorded) continue
        Object.assign(payment, recorded.change, { sequence: payment.sequence + 1, updatedAt: clock.now() })
        for (const job of recorded.jobs ?? []) queueJob(memory, job)
      }
      return found
    })
  return {
    find: (_tenantId: string, id: string) =>
      Promise.resolve(detached(memory.tables.payments.find((payment) => payment.id === id))),
    ...changesBy(changeMany),
  }
}

/** What is read outside of a transaction does not change what is stored. */
function detached<Row extends object>(row: Row | undefined): Row | undefined {
  return row && { ...row }
}

const inOrder = (left: StoredRefund, right: StoredRefund): number =>
  left.createdAt.getTime() - right.createdAt.getTime() || (left.id < right.id ? -1 : 1)

/** What went back of money that was not taken for other charges of the payment. */
function otherRefundsOf({ tables }: Memory, { id, paymentId }: Charge): StoredRefund[] {
  const others = tables.receipts.filter((one) => one.paymentId === paymentId && one.outcome === 'returned')
  const isOther = (refund: StoredRefund) => others.some((one) => one.id === refund.receiptId && one.chargeId !== id)
  return tables.refunds.filter(isOther).sort(inOrder)
}

type UsedOfCharges = Pick<
  ChargesStore,
  | 'find'
  | 'findByReceivedPayment'
  | 'readByReceivedPayment'
  | 'acceptedOf'
  | 'lockReceived'
  | 'isReceived'
  | 'load'
  | 'loadMany'
  | 'read'
  | 'markRefundSent'
  | 'markRefundRefused'
  | 'addReceivedPayment'
  | 'addRefund'
>

/** Charges with their money. */
export function chargesIn(memory: Memory) {
  const recordOf = (id: string, isLive: boolean): ChargeRecord => {
    const { charges, receipts, refunds } = memory.tables
    const charge = charges.find((one) => one.id === id)
    if (!charge) throw new Error(`there is no charge ${id}`)
    const ours = receipts.filter(({ chargeId }) => chargeId === id)
    const back = refunds.filter(({ receiptId }) => ours.some((one) => one.id === receiptId)).sort(inOrder)
    const otherRefunds = otherRefundsOf(memory, charge)
    if (isLive) return { charge, receivedPayments: [...ours], refunds: back, otherRefunds }
    return {
      otherRefunds,
      charge: { ...charge },
      receivedPayments: ours.map((one) => ({ ...one })),
      refunds: back.map((one) => ({ ...one })),
    }
  }
  const refundOf = (receiptId: string, id: string) =>
    memory.tables.refunds.find((one) => one.receiptId === receiptId && one.id === id)
  const store: UsedOfCharges = {
    find: (_tenantId, id) => Promise.resolve(detached(memory.tables.charges.find((charge) => charge.id === id))),
    findByReceivedPayment: (_rail, receiptId) => {
      const receipt = memory.tables.receipts.find(({ id }) => id === receiptId)
      return Promise.resolve(detached(memory.tables.charges.find(({ id }) => id === receipt?.chargeId)))
    },
    readByReceivedPayment: (_rail, receiptId) => {
      const receipt = memory.tables.receipts.find(({ id }) => id === receiptId)
      return Promise.resolve(receipt && recordOf(receipt.chargeId, false))
    },
    lockReceived: () => Promise.resolve(),
    isReceived: (_em, rail, receiptId) =>
      Promise.resolve(memory.tables.receipts.some((one) => one.rail === rail && one.id === receiptId)),
    acceptedOf: (_em, { id: paymentId }) =>
      Promise.resolve(memory.tables.receipts.find((one) => one.paymentId === paymentId && one.outcome === 'accepted')),
    load: (_em, { id }) => Promise.resolve(recordOf(id, true)),
    loadMany: (_em, references) => Promise.resolve(new Map(references.map(({ id }) => [id, recordOf(id, true)]))),
    read: ({ id }) => Promise.resolve(recordOf(id, false)),
    markRefundSent: ({ receiptId, id }, sentAt) =>
      memory.transaction(() => {
        const refund = refundOf(receiptId, id)
        if (refund?.sentAt !== null) return Promise.resolve(false)
        refund.sentAt = sentAt
        return Promise.resolve(true)
      }),
    markRefundRefused: ({ receiptId, id }, at) =>
      memory.transaction(() => {
        const refund = refundOf(receiptId, id)
        if (refund) refund.refusedAt ??= at
        return Promise.resolve()
      }),
    addReceivedPayment: (_em, receipt) => {
      memory.add('receipts', receipt, ({ rail, id }) => `${rail} ${id}`)
      return receipt
    },
    addRefund: (_em, refund) => {
      memory.add('refunds', refund, ({ receiptId, id }) => `${receiptId} ${id}`)
      return refund
    },
  }
  return store
}

/** Adds a job; one that waits under its key is replaced. */
function queueJob({ tables }: Memory, job: JobRequest): void {
  const same = tables.jobs.findIndex(({ key }) => key !== undefined && key === job.key)
  if (same >= 0) tables.jobs[same] = job
  else tables.jobs.push(job)
}

/** Jobs, quotes, fees and what else is small. */
export function smallStoresIn(memory: Memory) {
  return {
    addJob: (_em: unknown, job: JobRequest) => Promise.resolve(queueJob(memory, job)),
    addJobNow: (job: JobRequest) => memory.transaction(() => Promise.resolve(queueJob(memory, job))),
    quotes: {
      add: (_em: unknown, quote: Quote) => memory.tables.quotes.push(quote),
      find: (_tenantId: string, id: string) => Promise.resolve(memory.tables.quotes.find((quote) => quote.id === id)),
      findIn: (_em: unknown, _tenantId: string, id: string) =>
        Promise.resolve(memory.tables.quotes.find((quote) => quote.id === id)),
    },
    differences: {
      report: (_em: unknown, found: Difference) => {
        memory.tables.differences.push(found)
        return Promise.resolve(true)
      },
      close: (_em: unknown, kind: string, subject: string) => {
        const { differences } = memory.tables
        memory.tables.differences = differences.filter((one) => one.kind !== kind || one.subject !== subject)
        return Promise.resolve()
      },
      openOf: (scope: string) => {
        const open = memory.tables.differences.filter((one) => one.scope === scope)
        return Promise.resolve(new Set(open.map(({ kind, subject }) => `${kind}:${subject}`)))
      },
    },
    payables: payablesIn(memory),
  }
}

/** As `payablesStore` has it: nothing where the processor's list names nothing that went back. */
function goneBackOf({ tables }: Memory, receiptId: string): GoneBack[] {
  const kept = tables.payables.filter((one) => one.receiptId === receiptId && one.type !== 'credit')
  if (kept.length === 0) return []
  const back = tables.refunds.filter((one) => one.receiptId === receiptId)
  const sumOf = (some: readonly { amount: string }[]): bigint =>
    some.reduce((sum, { amount }) => sum + unitsOf(amount), 0n)
  const times = [...kept.map(({ bookedAt }) => bookedAt), ...back.flatMap(({ endedAt }) => endedAt ?? [])]
  return [
    {
      receiptId,
      gone: amountOf(-sumOf(kept)),
      booked: amountOf(sumOf(back.filter(({ status }) => status === 'done'))),
      newestAt: new Date(Math.max(...times.map((time) => time.getTime()))),
    },
  ]
}

function payablesIn(memory: Memory) {
  const find = (id: string) => memory.tables.payables.find((one) => one.id === id)
  return {
    known: (_rail: string, ids: readonly string[]) =>
      Promise.resolve(new Map(ids.flatMap((id) => (find(id) ? [[id, find(id)?.fee ?? ''] as const] : [])))),
    find: (_em: unknown, _rail: string, id: string) => Promise.resolve(detached(find(id))),
    keep: (
      _em: unknown,
      { isOurs }: { isOurs: boolean },
      payable: { id: string; receiptId: string; type: string; amount: string; fee: string },
      bookedAt: Date,
    ) => {
      const before = find(payable.id)
      if (before) Object.assign(before, payable, { bookedAt, version: before.version + 1 })
      else memory.tables.payables.push({ ...payable, isOurs, bookedAt, version: 1 })
      return Promise.resolve()
    },
    goneBack: (_rail: string, receiptIds: readonly string[]): Promise<GoneBack[]> =>
      Promise.resolve(receiptIds.flatMap((receiptId) => goneBackOf(memory, receiptId))),
    feesOf: (_em: unknown, _rail: string, receiptId: string) => {
      const of = memory.tables.payables.filter((one) => one.receiptId === receiptId)
      const sumOf = (some: typeof of): string => amountOf(some.reduce((sum, { fee }) => sum + unitsOf(fee), 0n))
      const charged = of.filter(({ type }) => type === 'credit')
      return Promise.resolve({
        ours: sumOf(of.filter(({ isOurs }) => isOurs)),
        charged: sumOf(charged),
        parts: charged.length,
      })
    },
  }
}
