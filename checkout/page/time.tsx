import { useEffect, useState } from 'preact/hooks'
import type { Messages } from './messages/messages.js'
import { clockText, timeText } from './text.js'
import type { PageView } from './view.js'

const TICK_MS = 1_000

/** The product's time, by the page's own clock and the difference that the view showed. Ticks every second. */
export function useNow(view: PageView, isTicking: boolean): number {
  const [now, setNow] = useState(() => Date.parse(view.now))
  useEffect(() => {
    const aheadMs = Date.parse(view.now) - Date.now()
    const tick = (): void => {
      setNow(Date.now() + aheadMs)
    }
    tick()
    if (!isTicking) return undefined
    const timer = setInterval(tick, TICK_MS)
    return () => {
      clearInterval(timer)
    }
  }, [view.now, isTicking])
  return now
}

/** A point in time: in UTC as the server writes it, in the reader's own zone once a script runs. */
export function Time({ at, messages }: { at: string; messages: Messages }) {
  const [isHere, setHere] = useState(false)
  useEffect(() => {
    setHere(true)
  }, [])
  return <time dateTime={at}>{timeText(at, messages, isHere ? undefined : 'UTC')}</time>
}

/** How long something can still be paid. */
export function Countdown({ until, now, messages }: { until: string; now: number; messages: Messages }) {
  return (
    <p class="countdown">
      {messages.timeLeft}{' '}
      <span data-test="countdown" role="timer">
        {clockText(Date.parse(until) - now)}
      </span>
    </p>
  )
}
