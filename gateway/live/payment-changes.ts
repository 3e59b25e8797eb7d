import type { Logger } from '../../kernel/log.js'
import { openNotifications, type Notifications } from '../../kernel/notifications.js'

/** Changes of payments, as the database announces them (payments' migration 0016). */
export interface PaymentChanges {
  /**
   * Told of each change of a payment, and where some may have been missed.
   * @returns ends it
   */
  subscribe: (payment: { tenantId: string; paymentId: string }, onChange: () => void) => () => void
  /**
   * Told of each change of a tenant's payments, and, without an id, where some may have been missed.
   * @returns ends it
   */
  subscribeTenant: (tenantId: string, onChange: (paymentId: string | undefined) => void) => () => void
  close: Notifications['close']
}

/** Listens for changes of payments with one connection, however many streams wait for them. */
export function openPaymentChanges(url: string, log: Logger): PaymentChanges {
  const notifications = openNotifications({
    url,
    channel: 'payment_changed',
    log,
    keysOf: (payload) => [payload, payload.slice(0, payload.indexOf(' '))],
  })
  return {
    subscribe: ({ tenantId, paymentId }, onChange) =>
      notifications.subscribe(`${tenantId} ${paymentId}`, () => {
        onChange()
      }),
    subscribeTenant: (tenantId, onChange) =>
      notifications.subscribe(tenantId, (payload) => {
        onChange(payload?.slice(tenantId.length + 1))
      }),
    close: notifications.close,
  }
}
