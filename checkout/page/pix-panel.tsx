import { useRef, useState } from 'preact/hooks'
import { isEmail, isTaxId } from './checks.js'
import { Alert, Field, focusFirstProblem, PayButton } from './fields.js'
import type { Messages } from './messages/messages.js'
import { asksForIdentity, type MethodProps, type Unverified } from './method-props.js'

/** Who pays a Pix; kept by the page alone, for a new code in place of one that ran out. */
export interface PixPayer {
  email: string
  cpf: string
}

interface PixFormProps extends MethodProps, Unverified {
  payer: PixPayer
  onPayer: (payer: PixPayer) => void
}

/** Asks who pays, and then for a Pix code. */
export function PixForm({ act, messages, payer, view, onPayer, onView, onUnverified }: PixFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const [bad, setBad] = useState<Partial<Record<keyof PixPayer, string>>>({})
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const submit = async (): Promise<void> => {
    if (isBusy) return
    const found = problemsOf(payer, messages)
    setBad(found)
    setProblem(undefined)
    if (Object.keys(found).length > 0) {
      focusFirstProblem(form.current)
      return
    }
    setBusy(true)
    const outcome = await act('pix', payer)
    setBusy(false)
    if (outcome.view) onView(outcome.view)
    if (outcome.ok) return
    if (asksForIdentity(outcome.code, view)) {
      onUnverified(payer.email)
      return
    }
    const { cpf, email } = messages.bad
    setBad({
      ...(outcome.fields.includes('cpf') && { cpf: cpf ?? '' }),
      ...(outcome.fields.includes('email') && { email: email ?? '' }),
    })
    setProblem(messages.errors[outcome.code] ?? messages.errors.other)
  }
  return (
    <form
      ref={form}
      data-test="pix-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <p class="intro">{messages.pix.intro}</p>
      <Field
        name="pix-cpf"
        label={messages.fields.cpf}
        value={payer.cpf}
        onValue={(cpf) => {
          onPayer({ ...payer, cpf })
        }}
        problem={bad.cpf}
        maxLength={20}
        wide
      />
      <Field
        name="pix-email"
        label={messages.fields.email}
        value={payer.email}
        onValue={(email) => {
          onPayer({ ...payer, email })
        }}
        problem={bad.email}
        inputMode="email"
        autocomplete="email"
        wide
      />
      <Alert text={problem} />
      <PayButton label={messages.pix.submit} isBusy={isBusy} messages={messages} />
    </form>
  )
}

function problemsOf({ cpf, email }: PixPayer, { bad, fields }: Messages): Partial<Record<keyof PixPayer, string>> {
  return {
    ...(!isTaxId(cpf) && { cpf: cpf.trim() === '' ? fields.required : (bad['cpf'] ?? '') }),
    ...(!isEmail(email) && { email: email.trim() === '' ? fields.required : (bad['email'] ?? '') }),
  }
}
