import { openNotifications, type Notifications } from '../kernel/notifications.js'
import type { Logger } from '../kernel/log.js'

/** Changes of payments, as the database announces them (payments' migration 0012). */
export interface PaymentChanges {
  /** @returns ends it */
  subscribe: (payment: { tenantId: string; paymentId: string }, onChange: () => void) => () => void
  close: Notifications['close']
}

/** Listens for changes of payments with one connection. */
export function openPaymentChanges(url: string, log: Logger): PaymentChanges {
  const notifications = openNotifications({ url, channel: 'payment_changed', log })
  return {
    subscribe: ({ tenantId, paymentId }, onChange) => notifications.subscribe(`${tenantId} ${paymentId}`, onChange),
    close: notifications.close,
  }
}
