import { perTenant } from '../../kernel/tenant-loader.js'
import type { EntryPlace } from './store/moved-money.js'
import type { HistoryPage } from './store/payments.js'
import type { Stores } from './store/stores.js'

/** Reads of single rows that live as long as a request: all that it asks for at once come in one statement. */
export type RequestLoaders = ReturnType<typeof requestLoaders>

/** The loaders of one request. */
export function requestLoaders(
  stores: Pick<
    Stores,
    | 'acceptedMoney'
    | 'addresses'
    | 'charges'
    | 'disputes'
    | 'movedMoney'
    | 'paymentReturns'
    | 'payments'
    | 'payouts'
    | 'quotes'
    | 'refunds'
    | 'subscriptions'
  >,
) {
  const {
    acceptedMoney,
    addresses,
    payments,
    paymentReturns,
    payouts,
    quotes,
    charges,
    disputes,
    movedMoney,
    refunds,
    subscriptions,
  } = stores
  return {
    acceptedOfPayment: perTenant((tenantId, ids) => acceptedMoney.ofPayments(tenantId, ids)),
    paymentById: perTenant((tenantId, ids) => payments.findMany(tenantId, ids)),
    addressesById: perTenant((tenantId, ids) => addresses.ofPayments(tenantId, ids)),
    quoteById: perTenant((tenantId, ids) => quotes.findMany(tenantId, ids)),
    chargeById: perTenant((tenantId, ids) => charges.findMany(tenantId, ids)),
    payoutsOf: perTenant((tenantId, ids) => payouts.ofPayments(tenantId, ids)),
    providerFeeOfCharge: perTenant((tenantId, ids) => charges.providerFees(tenantId, ids)),
    refundById: perTenant((tenantId, ids) => refunds.findMany(tenantId, ids)),
    refundsOfPayment: perTenant((tenantId, ids) => refunds.ofPayments(tenantId, ids)),
    disputesOfPayment: perTenant((tenantId, ids) => disputes.ofPayments(tenantId, ids)),
    returnsOfPayment: perTenant((tenantId, ids) => paymentReturns.ofPayments(tenantId, ids)),
    historyById: perPage((tenantId, ids, page) => payments.histories(tenantId, ids, page)),
    movedBy: perTenant((tenantId, entries: readonly EntryPlace[]) => movedMoney.ofEntries(tenantId, entries), {
      cacheKeyFn: ({ paymentId, sequence }) => `${paymentId} ${sequence}`,
    }),
    subscriptionById: perTenant((tenantId, ids) => subscriptions.findMany(tenantId, ids)),
    subscriptionOfPayment: perTenant((tenantId, ids) => subscriptions.ofPayments(tenantId, ids)),
    subscriptionHistoryById: perPage((tenantId, ids, page) => subscriptions.histories(tenantId, ids, page)),
  }
}

/** A loader for each page of histories that a request asks for. */
function perPage<Entry>(
  load: (tenantId: string, ids: readonly string[], page: HistoryPage) => Promise<Entry[][]>,
): (tenantId: string, id: string, page: HistoryPage) => Promise<Entry[]> {
  let loaders: Map<string, (tenantId: string, id: string) => Promise<Entry[]>> | undefined
  return (tenantId, id, page) => {
    loaders ??= new Map()
    const name = `${page.first} ${page.after}`
    const loader = loaders.get(name) ?? perTenant((tenant, ids) => load(tenant, ids, page))
    loaders.set(name, loader)
    return loader(tenantId, id)
  }
}
