import { useState } from 'preact/hooks'
import type { Messages } from './messages/messages.js'
import type { PageStatus, PageView } from './view.js'

/** Where the payment stands, read out when it changes. */
export function Status({ status, view, messages }: { status: PageStatus; view: PageView; messages: Messages }) {
  const { title, text } = view.isClosed ? messages.closed : messages.states[status]
  const reason = view.reason === null ? undefined : (messages.reasons[view.reason] ?? messages.reasons.other)
  return (
    <div class="status" data-test="status" data-status={status} role="status" aria-live="polite">
      <h2>{title}</h2>
      {status === 'refused' && reason !== undefined && <p class="reason">{reason}</p>}
      {text !== '' && <p>{text}</p>}
    </div>
  )
}

interface RetryButtonProps {
  label: string
  onRetry: () => Promise<void>
  messages: Messages
}

/** Begins again after a refusal, or after the time has run out. */
export function RetryButton({ label, onRetry, messages }: RetryButtonProps) {
  const [isBusy, setBusy] = useState(false)
  return (
    <button
      class="primary scripted"
      type="button"
      data-test="retry"
      disabled={isBusy}
      onClick={() => {
        setBusy(true)
        void onRetry().finally(() => {
          setBusy(false)
        })
      }}
    >
      {isBusy ? messages.working : label}
    </button>
  )
}
