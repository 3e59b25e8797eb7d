/** What the site that shows the page in a frame is told: nothing that it does not know, or may not ask us. */
interface FrameMessage {
  type: 'payment_status'
  payment_id: string
  status: string
}

/**
 * Tells the site that shows the page in a frame where the payment stands, if it is one of those that the tenant names.
 * The browser gives the message to no other.
 */
export function tellFrame(origins: readonly string[], message: FrameMessage): void {
  if (window.parent === window) return
  // Not all browsers know who shows the page; then each is tried.
  const shownBy = (location as { ancestorOrigins?: ArrayLike<string> }).ancestorOrigins?.[0]
  for (const origin of origins) {
    if (shownBy === undefined || shownBy === origin) window.parent.postMessage(message, origin)
  }
}
