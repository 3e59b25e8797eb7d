import type { OrderItem } from '../store/order.entity.js'
import type { Patch } from './merge.js'

/** An item as sent, whose empty `imageUrl` says that there is no picture: old clients send that. */
export function withPicture<Item extends Patch<OrderItem>>(item: Item): Item {
  return item.imageUrl === '' ? { ...item, imageUrl: null } : item
}
