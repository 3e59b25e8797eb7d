import { useRef, useState } from 'preact/hooks'
import type { Act, Outcome } from './actions.js'
import { cardProblems, EMPTY_CARD, formatted, payerOf, type CardFields } from './card-fields.js'
import { brandOf } from './checks.js'
import { Alert, Field, focusFirstProblem, PayButton, type FieldProps } from './fields.js'
import { asksForIdentity, type MethodProps, type Unverified } from './method-props.js'
import { amountOf, fill } from './text.js'
import { tokenize, type TokenOutcome } from './tokenize.js'
import type { PageView } from './view.js'

/** How each field is typed in: the browser may fill them in by these names. */
const INPUTS: Readonly<
  Record<keyof CardFields, Pick<FieldProps, 'autocomplete' | 'inputMode' | 'maxLength' | 'wide'>>
> = {
  number: { autocomplete: 'cc-number', inputMode: 'numeric', maxLength: 23, wide: true },
  holder: { autocomplete: 'cc-name', maxLength: 64, wide: true },
  expiry: { autocomplete: 'cc-exp', inputMode: 'numeric', maxLength: 7 },
  cvv: { autocomplete: 'cc-csc', inputMode: 'numeric', maxLength: 4 },
  email: { autocomplete: 'email', inputMode: 'email', wide: true },
  document: { maxLength: 20 },
  phone: { autocomplete: 'tel-national', inputMode: 'tel', maxLength: 20 },
  zipcode: { autocomplete: 'postal-code', inputMode: 'numeric', maxLength: 9 },
  state: { autocomplete: 'address-level1', maxLength: 2 },
  street: { autocomplete: 'address-line1', maxLength: 100, wide: true },
  streetNumber: { maxLength: 20 },
  neighborhood: { autocomplete: 'address-level3', maxLength: 60 },
  city: { autocomplete: 'address-level2', maxLength: 60, wide: true },
}
const CARD = ['number', 'holder', 'expiry', 'cvv'] as const
const PAYER = ['email', 'document', 'phone'] as const
const ADDRESS = ['zipcode', 'state', 'street', 'streetNumber', 'neighborhood', 'city'] as const

/** The card's form. Number and code go to the processor, whose token goes to the server with the rest. */
export function CardPanel({ view, onView, onUnverified, act, messages }: MethodProps & Unverified) {
  const form = useRef<HTMLFormElement>(null)
  const [fields, setFields] = useState<CardFields>(EMPTY_CARD)
  const [bad, setBad] = useState<Partial<Record<keyof CardFields, string>>>({})
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const { errors, bad: hints } = messages
  const fail = (code: string, wrong: readonly (keyof CardFields)[] = []): void => {
    setBad(Object.fromEntries(wrong.map((name) => [name, hints[hintOf(name)] ?? errors.other])))
    setProblem(errors[code] ?? errors.other)
    if (wrong.length > 0) focusFirstProblem(form.current)
  }
  const pay = async (): Promise<void> => {
    const { cardTokenUrl } = view
    const now = Date.parse(view.now)
    const found = cardProblems(fields, now, messages)
    setBad(found)
    setProblem(undefined)
    if (Object.keys(found).length > 0) focusFirstProblem(form.current)
    if (isBusy || cardTokenUrl === null || Object.keys(found).length > 0) return
    setBusy(true)
    const token = await tokenize(cardTokenUrl, fields, now)
    const outcome = await charge(act, token, fields)
    setBusy(false)
    if (token.ok) setFields((typed) => ({ ...typed, cvv: '' }))
    if (!outcome.ok && asksForIdentity(outcome.code, view)) onUnverified(fields.email)
    else if (!outcome.ok) fail(outcome.code, [...outcome.fields].filter(isCardField))
    if (outcome.view) onView(outcome.view)
    if (outcome.ok) leadToBank(outcome.view)
  }
  const draw = (name: keyof CardFields) => (
    <Field
      key={name}
      name={`card-${name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}`}
      label={labelOf(name, fields, messages.fields[name])}
      value={fields[name]}
      onValue={(typed) => {
        setFields((before) => ({ ...before, [name]: formatted(name, typed) }))
      }}
      problem={bad[name]}
      {...INPUTS[name]}
    />
  )
  return (
    <form
      ref={form}
      data-test="card-form"
      class="grid"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void pay()
      }}
    >
      {CARD.map(draw)}
      {PAYER.map(draw)}
      <h3 class="wide">{messages.fields.address}</h3>
      {ADDRESS.map(draw)}
      <div class="wide">
        <Alert text={problem} />
        <PayButton
          label={fill(messages.card.submit, { amount: amountOf(view, messages) })}
          isBusy={isBusy}
          messages={messages}
        />
        <p class="small">{messages.card.safe}</p>
      </div>
    </form>
  )
}

/** Has a card charged, by its token where there is one. */
function charge(act: Act, token: TokenOutcome, fields: CardFields): Promise<Outcome> {
  return token.ok ? act('card', { token: token.id, ...payerOf(fields) }) : Promise.resolve(token)
}

/** In a shop's frame the payer opens it himself: banks do not let themselves be framed. */
function leadToBank({ challengeUrl }: PageView): void {
  if (challengeUrl !== null && window.top === window) location.assign(challengeUrl)
}

function labelOf(name: keyof CardFields, { number }: CardFields, label: string): string {
  const brand = name === 'number' ? brandOf(number) : undefined
  return brand === undefined ? label : `${label} · ${brand}`
}

/** The text that says what is wrong with a field. */
function hintOf(name: keyof CardFields): string {
  return name === 'document' ? 'cpf' : name
}

function isCardField(name: string): name is keyof CardFields {
  return name in EMPTY_CARD
}
