import { timeLimit } from './time-limit.js'
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
  let source: EventSource
  const isOpen = (): boolean => source.readyState === EventSource.OPEN
  const look = async (): Promise<void> => {
    try {
      const answer = await fetch(`${base}/state`, { cache: 'no-store', signal: timeLimit(LOOK_TIMEOUT_MS) })
      const { view } = (await answer.json()) as { view?: PageView }
      if (view) onView(view)
      onLost(!view && !isOpen())
    } catch {
      onLost(!isOpen())
    }
  }
  const open = (): void => {
    source = new EventSource(`${base}/events`)
    source.addEventListener('open', () => {
      onLost(false)
    })
    source.addEventListener('view', (event: MessageEvent<string>) => {
      onView(JSON.parse(event.data) as PageView)
    })
  }
  const onShown = (): void => {
    if (document.hidden) return
    void look()
    // A refused stream is not tried again by the browser itself.
    if (source.readyState === EventSource.CLOSED) open()
  }
  open()
  const timer = setInterval(() => {
    if (!isOpen()) onShown()
  }, POLL_MS)
  document.addEventListener('visibilitychange', onShown)
  addEventListener('pageshow', onShown)
  return () => {
    source.close()
    clearInterval(timer)
    document.removeEventListener('visibilitychange', onShown)
    removeEventListener('pageshow', onShown)
  }
}
