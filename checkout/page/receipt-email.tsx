import { useState } from 'preact/hooks'
import { isEmail } from './checks.js'
import { Alert, Field } from './fields.js'
import type { MethodProps } from './method-props.js'

/** Sends the receipt to a payer who wants it by e-mail. */
export function ReceiptEmail({ view, onView, act, messages }: MethodProps) {
  const { receiptEmail: texts, bad: hints, errors } = messages
  const [email, setEmail] = useState('')
  const [bad, setBad] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const send = async (): Promise<void> => {
    const isRight = isEmail(email)
    setBad(isRight ? undefined : hints.email)
    if (!isRight || isBusy) return
    setBusy(true)
    const outcome = await act('receipt', { email, language: messages.locale.slice(0, 2) })
    setBusy(false)
    setProblem(outcome.ok ? undefined : (errors[outcome.code] ?? errors.other))
    if (outcome.view) onView(outcome.view)
  }
  if (view.receiptEmail === 'requested') {
    return (
      <p class="note" role="status" data-test="receipt-requested">
        {texts.requested}
      </p>
    )
  }
  return (
    <form
      class="receipt"
      data-test="receipt-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <Field
        name="receipt-email"
        label={texts.label}
        value={email}
        onValue={(typed) => {
          setEmail(typed)
          // What is mended is mended at once.
          if (isEmail(typed)) setBad(undefined)
        }}
        problem={bad}
        inputMode="email"
        autocomplete="email"
        wide
      />
      <Alert text={problem} />
      <button class="button" type="submit" data-test="receipt-send" disabled={isBusy} aria-busy={isBusy}>
        {isBusy ? messages.working : texts.submit}
      </button>
    </form>
  )
}
