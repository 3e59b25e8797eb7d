import type { Messages } from './messages/messages.js'
import type { PageStatus, PageView } from './view.js'

interface StatusProps {
  status: PageStatus
  view: PageView
  /** Whether the payer is asked how he wants to pay. */
  hasChoice: boolean
  messages: Messages
}

/** Where the payment stands, read out when it changes. */
export function Status({ status, view, hasChoice, messages }: StatusProps) {
  const { title, text } = wordsOf(status, view, messages)
  const reason = view.reason === null ? undefined : (messages.reasons[view.reason] ?? messages.reasons.other)
  return (
    <div class="status" data-test="status" data-status={status} role="status" aria-live="polite">
      <h2>{hasChoice ? messages.chooseMethod : title}</h2>
      {status === 'refused' && reason !== undefined && <p class="reason">{reason}</p>}
      {/* Of a part that came there is one way only to pay the rest, and the reason has said it. */}
      {text !== '' && view.reason !== 'underpaid' && <p>{text}</p>}
    </div>
  )
}

/** What a browser's tab says: where the payment stands, and whom it is to. */
export function titleOf(view: PageView, messages: Messages): string {
  return `${wordsOf(view.status, view, messages).title} · ${view.merchant ?? messages.title}`
}

/** What a state is called; in place of its words where the money went back, or the shop is closed. */
export function wordsOf(status: PageStatus, view: PageView, messages: Messages): { title: string; text: string } {
  if (view.isClosed) return messages.closed
  if (view.back?.isWhole) return { title: messages.returned.title, text: '' }
  if (view.isRefunded) return messages.refunded
  const { title, text } = messages.states[status]
  // Nobody should pay again while his bank decides.
  const isDecided = status !== 'waiting' || view.chosen !== 'card' || view.challengeUrl !== null
  return { title, text: isDecided ? text : messages.card.deciding }
}
