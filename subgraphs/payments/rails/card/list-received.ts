import { compare } from '../../../../kernel/money.js'
import type { ReceivedPayment } from '../../model/charge.js'
import type { ListedPayment, ReceivedWindow } from '../processor-adapter.js'
import { rowReader } from '../row-reader.js'
import type { CardClient } from './client.js'
import { countOfList, readOrder, readOrders } from './wire.js'

const PAGE_SIZE = 50

/**
 * The payments of the orders made in a time (`GET /orders`, core v5). The processor has no list of what changed: what went back is
 * found by the time of its order.
 * @throws ProviderError
 */
export async function* listReceived(
  client: CardClient,
  { from, to, isRefundedOnly }: ReceivedWindow,
): AsyncGenerator<ListedPayment> {
  const window = { created_since: from.toISOString(), created_until: to.toISOString(), size: PAGE_SIZE }
  let read = 0
  const rows = rowReader(readOrder)
  for (let page = 1; ; page += 1) {
    const answer = await client.listOrders({ ...window, page })
    const orders = readOrders(answer)
    for (const order of orders) {
      const { code, receivedPayments = [] } = rows.read(order) ?? {}
      for (const received of receivedPayments) {
        if (!isRefundedOnly || isRefunded(received)) yield { reference: code, received }
      }
    }
    read += orders.length
    // A page may be shorter than was asked for, and others follow.
    if (orders.length === 0 || read >= countOfList(answer)) return rows.end()
  }
}

function isRefunded({ refunds, refundedAmount = '0' }: ReceivedPayment): boolean {
  return refunds.length > 0 || compare(refundedAmount, '0') > 0
}
