import { bell } from '../gateway/live/bell.js'
import type { StreamEvent } from '../gateway/live/event-streams.js'
import type { PaymentChanges } from '../gateway/live/payment-changes.js'
import type { PageView } from './page/view.js'

/**
 * The views of a page until `signal` is aborted: one at once, as something may have changed between the page and its stream, and one
 * after each change. Changes that come while one is read are one change.
 * @param read a view that cannot be read now is left out
 */
export async function* viewStream(
  changes: PaymentChanges,
  payment: { tenantId: string; paymentId: string },
  read: () => Promise<PageView | undefined>,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent> {
  const news = bell(signal)
  const unsubscribe = changes.subscribe(payment, news.ring)
  try {
    while (!signal.aborted) {
      const view = await read().catch(() => undefined)
      if (view) yield { event: 'view', id: String(view.version), data: JSON.stringify(view) }
      await news.rung()
    }
  } finally {
    unsubscribe()
  }
}
