import { useState } from 'preact/hooks'
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
      {text !== '' && <p>{text}</p>}
    </div>
  )
}

function wordsOf(status: PageStatus, view: PageView, messages: Messages): { title: string; text: string } {
  if (view.isClosed) return messages.closed
  if (view.isRefunded) return messages.refunded
  const { title, text } = messages.states[status]
  // Nobody should pay again while his bank decides.
  const isDecided = status !== 'waiting' || view.chosen !== 'card' || view.challengeUrl !== null
  return { title, text: isDecided ? text : messages.card.deciding }
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
