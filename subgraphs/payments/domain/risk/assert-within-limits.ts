import type { Transaction } from '../../../../kernel/database.js'
import { AppError } from '../../../../kernel/errors.js'
import { compare, sum } from '../../../../kernel/money.js'
import { tenantQueue, type QueueLimits, type TenantQueue } from '../../../../kernel/tenant-queue.js'
import type { Runtime } from '../../model/runtime.js'
import type { CreateTransactionInput } from '../../model/transaction-input.js'
import { readTaxId } from '../../rails/tax-id.js'
import type { Payment } from '../../store/payment.entity.js'
import type { LimitedPayment, LimitUse, PaymentLimits } from '../../store/risk.js'
import type { Stores } from '../../store/stores.js'

/** What counting a payment against its tenant's limits needs. */
export type LimitDeps = Pick<Runtime, 'clock'> &
  Pick<Stores, 'payments' | 'risk'> & {
    /** A keyed hash: of equal texts it is equal, and without the key nobody can try all of them. */
    hashPayer: (text: string) => string
    /** What adds up a tenant's day holds a connection each, and a lock that all of the tenant's wait for. */
    countQueue: TenantQueue
  }

/** One adds up, and the next stands at its lock. More would hold all connections of a process for one tenant. */
const COUNTS_MAX: QueueLimits = { running: 2, waiting: 100, refusal: 'provider_timeout' }
const COUNT_WAIT_MS = 8_000

/** Where a process's counts of days wait. */
export function countQueue(): TenantQueue {
  return tenantQueue(COUNTS_MAX)
}

/** What is known of who pays; of who sends to an address that is nothing. */
type LimitedPayer = Pick<CreateTransactionInput, 'payerEmail' | 'payerCpf' | 'payerDocument' | 'payerWallet'>

const DAY_MS = 24 * 3_600_000
/** A start takes no longer, from when it is counted until its payment is pending. */
const START_MS = 2 * 60_000

/**
 * Counts a payment that a payer begins against the limits of its tenant and its currency: what was begun in the last 24 hours,
 * and has neither failed nor been refused, counts; one that failed counts again from when it is started again. Attempts that race
 * are counted one after the other where a day is limited. One that may start a subscription is written down also where nothing
 * is limited: its renewals know their payer by it. Where another request has got a charge since the payment was read, what that one
 * was counted with stays.
 * @returns what was counted, for whoever gets the payment in hand in the end: of several payers who begin at once the last was counted,
 *   and another may be the one. Undefined where nothing counts.
 * @param earlierId a payment of the same payer: what it was counted with names the payer too
 * @throws payment_limit_exceeded, provider_timeout
 */
export async function assertWithinLimits(
  deps: LimitDeps,
  payment: Payment,
  input: LimitedPayer,
  earlierId?: string,
): Promise<LimitedPayment | undefined> {
  const { tenantId, id: paymentId, fromCurrencySymbol: currency, amountFrom: amount } = payment
  const limits = await deps.risk.limits(tenantId, currency)
  if (!limits && payment.gatewayMethod !== 'subs') return undefined
  if (limits && isAbove(amount, limits.perPayment)) throw exceeded(`per payment: ${limits.perPayment}`, currency)
  const known = earlierId === undefined ? [] : await deps.risk.payersOf(tenantId, earlierId)
  const payers = [...new Set([...payerTexts(input).map((text) => deps.hashPayer(text)), ...known])]
  const counted = { tenantId, paymentId, currency, amount, payers }
  const isDayLimited = limits !== undefined && (limits.perPayerDay !== null || limits.perTenantDay !== null)
  const count = () =>
    deps.payments.change(tenantId, paymentId, async (locked, em) => {
      if (isTaken(locked, payment)) return undefined
      const now = deps.clock.now()
      const limit = isDayLimited ? await limitBroken(deps, em, { limits, counted, now }) : undefined
      if (limit !== undefined) throw exceeded(limit, currency)
      await deps.risk.use(em, counted, now)
      return undefined
    })
  await (isDayLimited ? deps.countQueue.run(tenantId, count, COUNT_WAIT_MS) : count())
  return counted
}

/** Whether another request has got a charge since the payment was read. */
function isTaken(locked: Payment, read: Payment): boolean {
  return locked.status === 'pending' && locked.chargeId != null && locked.chargeId !== read.chargeId
}

/** Adds up the tenant's day. Gives what names the limit of it that a payment would break. */
async function limitBroken(
  { risk }: LimitDeps,
  em: Transaction,
  { limits, counted, now }: { limits: PaymentLimits; counted: LimitedPayment; now: Date },
): Promise<string | undefined> {
  const before = (ms: number): Date => new Date(now.getTime() - ms)
  const times = { since: before(DAY_MS), startingSince: before(START_MS) }
  return exceededOfDay(limits, await risk.lockUse(em, counted, times), counted.amount)
}

function exceeded(limit: string, currency: string): AppError {
  return new AppError('payment_limit_exceeded', { details: `${limit} ${currency}` })
}

function isAbove(total: string, limit: string | null): boolean {
  return limit !== null && compare(total, limit) > 0
}

/** What names the limit of 24 hours that a payment would break; undefined where it breaks none. */
function exceededOfDay(limits: PaymentLimits, used: LimitUse, amount: string): string | undefined {
  if (isAbove(sum([used.byPayer, amount]), limits.perPayerDay)) return `per payer in 24 hours: ${limits.perPayerDay}`
  if (isAbove(sum([used.byTenant, amount]), limits.perTenantDay))
    return `per account in 24 hours: ${limits.perTenantDay}`
  return undefined
}

/** What names a payer, each in one spelling. */
function payerTexts({ payerEmail, payerCpf, payerDocument, payerWallet }: LimitedPayer): string[] {
  const taxIds = [payerCpf, payerDocument].flatMap((text) => {
    const taxId = text ? readTaxId(text) : undefined
    return taxId ? [`${taxId.kind}:${taxId.value}`] : text ? [`document:${text.trim().toUpperCase()}`] : []
  })
  // An EVM address is the same in any case; one of Solana has no other spelling.
  const wallet = payerWallet?.startsWith('0x') ? payerWallet.toLowerCase() : payerWallet
  return [
    ...(payerEmail ? [`email:${payerEmail.trim().toLowerCase()}`] : []),
    ...taxIds,
    ...(wallet ? [`wallet:${wallet}`] : []),
  ]
}
