import { connectionOf, readPage, type PageRequest } from '../../../kernel/connection.js'
import type { PaymentConnection } from '../domain/list-payments.js'
import type { Payment } from '../store/payment.entity.js'
import type { Stores } from '../store/stores.js'
import type { Subscription } from '../store/subscription.entity.js'

/** What listing the payments of a subscription needs. */
export type ListSubscriptionPaymentsDeps = Pick<Stores, 'subscriptions'> & {
  /** Reads those that are asked for at the same time together. */
  paymentById: (tenantId: string, id: string) => Promise<Payment | undefined>
}

/** The payment that began it is in no period, and comes last; of one that began with a trial it is the first period's. */
const FIRST_PERIOD = 0

/**
 * The payments of a subscription, newest first: one for each period that was due, and the one that began it. A cursor names
 * a period.
 * @throws validation_error on `first` or `after`
 */
export async function listSubscriptionPayments(
  deps: ListSubscriptionPaymentsDeps,
  subscription: Subscription,
  request: PageRequest,
): Promise<PaymentConnection> {
  const { size, after } = readPage(request, periodFrom)
  const { tenantId, firstPaymentId } = subscription
  const periods = await deps.subscriptions.listPeriods(subscription, { limit: size + 1, before: after })
  const places = periods.map(({ period, paymentId }) => ({ period, paymentId }))
  const isOfPeriod = subscription.trialEndsAt != null
  if (after !== FIRST_PERIOD && !isOfPeriod) places.push({ period: FIRST_PERIOD, paymentId: firstPaymentId })
  const page = { size, hasPreviousPage: after !== undefined }
  const { edges, pageInfo } = connectionOf(places, page, ({ period }) => `period:${period}`)
  const found = await Promise.all(
    edges.map(async ({ cursor, node }) => ({ cursor, node: await deps.paymentById(tenantId, node.paymentId) })),
  )
  return {
    edges: found.filter((edge): edge is { cursor: string; node: Payment } => edge.node !== undefined),
    pageInfo,
    count: async () => ({
      value: (await deps.subscriptions.countPeriods(subscription)) + (isOfPeriod ? 0 : 1),
      isExact: true,
    }),
  }
}

function periodFrom(text: string): number | undefined {
  const digits = /^period:(\d{1,9})$/.exec(text)?.[1]
  return digits === undefined ? undefined : Number(digits)
}
