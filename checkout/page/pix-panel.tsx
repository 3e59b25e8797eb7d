import { useRef, useState } from 'preact/hooks'
import type { FiatFields } from './card-fields.js'
import { isEmail, isTaxId, taxIdFormatted } from './checks.js'
import { Alert, Field, focusFirstProblem, PayButton } from './fields.js'
import type { Messages } from './messages/messages.js'
import { asksForIdentity, pixPayer, refusalText, type MethodProps, type Unverified } from './method-props.js'
import { useProblems } from './use-problems.js'

type Name = 'document' | 'email'

interface PixFormProps extends MethodProps, Unverified, FiatFields {
  /** Why the last one was refused. */
  problem: string | undefined
  onProblem: (problem: string | undefined) => void
}

/** Asks who pays, and then for a Pix code. The server draws it: of `method="dialog"` a browser sends nothing until the script has come. */
export function PixForm(props: PixFormProps) {
  const { act, messages, typed, onTyped, view, onView, onUnverified, problem, onProblem } = props
  const form = useRef<HTMLFormElement>(null)
  const problems = useProblems<Name>(typed, problemsOf(typed, messages))
  const [isBusy, setBusy] = useState(false)
  const submit = async (): Promise<void> => {
    if (isBusy) return
    onProblem(undefined)
    if (!problems.submit()) {
      focusFirstProblem(form.current)
      return
    }
    setBusy(true)
    const outcome = await act('pix', pixPayer(typed))
    setBusy(false)
    if (outcome.view) onView(outcome.view)
    if (outcome.ok) return
    if (asksForIdentity(outcome.code, view)) {
      onUnverified(typed.email ?? '')
      return
    }
    const { cpf, email } = messages.bad
    problems.refuse({
      ...(outcome.fields.includes('cpf') && { document: cpf }),
      ...(outcome.fields.includes('email') && { email }),
    })
    onProblem(refusalText(outcome.code, messages))
  }
  const common = (name: Name) => ({
    value: typed[name] ?? '',
    onValue: (value: string) => {
      onTyped(name, value)
    },
    onLeave: () => {
      problems.leave(name)
    },
    problem: problems.of(name),
    wide: true,
  })
  return (
    <form
      ref={form}
      data-test="pix-form"
      method="dialog"
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
        format={taxIdFormatted}
        maxLength={20}
        {...common('document')}
      />
      <Field
        name="pix-email"
        label={messages.fields.email}
        inputMode="email"
        autocomplete="email"
        {...common('email')}
      />
      <Alert text={problem} />
      <PayButton label={messages.pix.submit} isBusy={isBusy} messages={messages} />
    </form>
  )
}

function problemsOf(typed: FiatFields['typed'], { bad, fields }: Messages): Partial<Record<Name, string>> {
  const { cpf, email } = pixPayer(typed)
  return {
    ...(!isTaxId(cpf) && { document: cpf.trim() === '' ? fields.required : bad.cpf }),
    ...(!isEmail(email) && { email: email.trim() === '' ? fields.required : bad.email }),
  }
}
