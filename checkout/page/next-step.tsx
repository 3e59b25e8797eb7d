import { useState } from 'preact/hooks'
import type { FiatFields } from './card-fields.js'
import { Alert } from './fields.js'
import type { Messages } from './messages/messages.js'
import { asksForIdentity, pixPayer, refusalText, type MethodProps } from './method-props.js'
import { fill } from './text.js'
import type { PageStatus } from './view.js'

interface NextStepProps extends MethodProps, Pick<FiatFields, 'typed'> {
  /** Where the payment stands by now: the page's clock may know more than the view. */
  status: PageStatus
  /** Whether there is a way to pay. */
  canPay: boolean
  /** Lets the payer choose again how he pays. */
  onRetry: () => void
}

/** What a payer does next whose bank wants to know that it is he, who was refused, or whose time has run out. */
export function NextStep(props: NextStepProps) {
  const { view, canPay, messages } = props
  const { challengeUrl } = view
  return (
    <>
      {challengeUrl !== null && <Challenge url={challengeUrl} messages={messages} />}
      {canPay && <Retry {...props} />}
    </>
  )
}

/** The way to the payer's bank. In a shop's frame it is opened beside: banks do not let themselves be framed. */
function Challenge({ url, messages }: { url: string; messages: Messages }) {
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

/** Begins again after a refusal, or after the time has run out. */
function Retry({ view, status, typed, onRetry, act, onView, messages }: NextStepProps) {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const { chosen, challengeUrl } = view
  const isPixOver = status === 'expired' && chosen === 'pix' && problem === undefined
  const label = isPixOver ? messages.pix.renew : challengeUrl === null ? messages.retry : messages.card.other
  const retry = async (): Promise<void> => {
    if (isBusy) return
    // A code that ran out is replaced in place: the page still knows who pays.
    if (!isPixOver || typed.document === undefined) {
      onRetry()
      return
    }
    setBusy(true)
    const outcome = await act('pix', pixPayer(typed))
    setBusy(false)
    if (outcome.view) onView(outcome.view)
    if (outcome.ok) return
    const who = fill(messages.identity.why, { email: typed.email ?? '' })
    setProblem(asksForIdentity(outcome.code, view) ? who : refusalText(outcome.code, messages))
  }
  return (
    <>
      <Alert text={problem} />
      <button
        class={`${challengeUrl === null ? 'primary' : 'button'} scripted`}
        type="button"
        data-test="retry"
        aria-disabled={isBusy}
        onClick={() => {
          void retry()
        }}
      >
        {isBusy ? messages.working : label}
      </button>
    </>
  )
}
