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

/** The way to the payer's bank. In a shop's frame it is opened beside: banks do not let themselves be framed. */
export function Challenge({ url, messages }: { url: string; messages: Messages }) {
  const isFramed = typeof window !== 'undefined' && window.top !== window
  return (
    <>
      <p class="intro">{messages.card.challenge}</p>
      <a
        class="primary wallet"
        data-test="challenge"
        href={url}
        target={isFramed ? '_blank' : '_self'}
        rel="noreferrer"
      >
        {messages.card.bank}
      </a>
    </>
  )
}

interface RetryButtonProps {
  label: string
  onRetry: () => Promise<void>
  messages: Messages
  /** Whether something else is the next step. */
  isQuiet: boolean
}

/** Begins again after a refusal, or after the time has run out. */
export function RetryButton({ label, onRetry, messages, isQuiet }: RetryButtonProps) {
  const [isBusy, setBusy] = useState(false)
  return (
    <button
      class={`${isQuiet ? 'button' : 'primary'} scripted`}
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
