import type { CallOptions } from './call.js'
import type { PaymentsClient } from './client.js'
import type {
  ListOrdersData,
  ListOrdersParams,
  ListPaymentsData,
  ListPaymentsParams,
  ListWebhookDeliveriesData,
  ListWebhookDeliveriesParams,
} from './generated/types.js'

/** A payment, an order or a delivery as its list has it. */
export type ListedPayment = ListPaymentsData['payments'][number]
export type ListedOrder = ListOrdersData['orders'][number]
export type ListedDelivery = ListWebhookDeliveriesData['deliveries'][number]

/** Every payment that fits, newest first, page by page. @throws ApiError, ConnectionError */
export async function* eachPayment(
  client: Pick<PaymentsClient, 'listPayments'>,
  filter: ListPaymentsParams = {},
  options: CallOptions = {},
): AsyncGenerator<ListedPayment, void, void> {
  for (let after = filter.after; ;) {
    const { data } = await client.listPayments({ ...filter, ...(after != null && { after }) }, options)
    yield* data.payments
    if (data.next === null) return
    after = data.next
  }
}

/** Every webhook delivery, newest first, page by page. @throws ApiError, ConnectionError */
export async function* eachWebhookDelivery(
  client: Pick<PaymentsClient, 'listWebhookDeliveries'>,
  filter: ListWebhookDeliveriesParams = {},
  options: CallOptions = {},
): AsyncGenerator<ListedDelivery, void, void> {
  for (let after = filter.after; ;) {
    const { data } = await client.listWebhookDeliveries({ ...filter, ...(after != null && { after }) }, options)
    yield* data.deliveries
    if (data.next === null) return
    after = data.next
  }
}

/** Every order that fits, newest first, page by page. @throws ApiError, ConnectionError */
export async function* eachOrder(
  client: Pick<PaymentsClient, 'listOrders'>,
  filter: ListOrdersParams = {},
  options: CallOptions = {},
): AsyncGenerator<ListedOrder, void, void> {
  for (let page = filter.page ?? 1; ; page += 1) {
    const { data } = await client.listOrders({ ...filter, page }, options)
    yield* data.orders
    if (page >= data.pagination.total_pages) return
  }
}
