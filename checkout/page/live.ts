import type { PageView } from './view.js'

/** How often is looked where the stream is broken. */
const POLL_MS = 4_000
const LOOK_TIMEOUT_MS = 10_000

/** Whom news of the payment are told. */
interface Listener {
  onView: (view: PageView) => void
  /** Whether what is shown may be old. */
  onLost: (isLost: boolean) => void
}

/**
 * Follows the payment: by the server's stream, and by looking again where that is broken, or the page was in the
 * background, where phones end connections without a sign.
 * @returns ends it
 */
export function follow(base: string, { onView, onLost }: Listener): () => void {
  let source: EventSource | undefined
  let isOpen = false
  const look = async (): Promise<void> => {
    try {
      const answer = await fetch(`${base}/state`, { cache: 'no-store', signal: AbortSignal.timeout(LOOK_TIMEOUT_MS) })
      const { view } = (await answer.json()) as { view?: PageView }
      if (!view) throw new Error('no view')
      onView(view)
      onLost(false)
    } catch {
      onLost(!isOpen)
    }
  }
  const open = (): void => {
    source?.close()
    source = new EventSource(`${base}/events`)
    source.addEventListener('open', () => {
      isOpen = true
      onLost(false)
    })
    source.addEventListener('view', (event: MessageEvent<string>) => {
      onView(JSON.parse(event.data) as PageView)
    })
    source.addEventListener('error', () => {
      isOpen = false
    })
  }
  const onShown = (): void => {
    if (document.visibilityState !== 'visible') return
    void look()
    if (!isOpen) open()
  }
  open()
  const timer = setInterval(() => {
    if (isOpen || document.visibilityState !== 'visible') return
    void look()
    // A refused stream is not tried again by the browser itself.
    if (source?.readyState === EventSource.CLOSED) open()
  }, POLL_MS)
  document.addEventListener('visibilitychange', onShown)
  window.addEventListener('pageshow', onShown)
  return () => {
    source?.close()
    clearInterval(timer)
    document.removeEventListener('visibilitychange', onShown)
    window.removeEventListener('pageshow', onShown)
  }
}
