import { useRef, useState } from 'preact/hooks'
import type { Act, Outcome } from './actions.js'
import {
  fieldProblems,
  formatted,
  hintOf,
  isFull,
  payerOf,
  type FiatFields,
  type FieldName,
  type Typed,
} from './card-fields.js'
import { brandOf } from './card-checks.js'
import { Alert, Field, focusFirstProblem, PayButton, type FieldProps } from './fields.js'
import type { Messages } from './messages/messages.js'
import { asksForIdentity, type MethodProps, type Unverified } from './method-props.js'
import { amountOf, fill } from './text.js'
import { tokenize, type TokenOutcome } from './tokenize.js'
import { useProblems } from './use-problems.js'
import type { PageView } from './view.js'

/** How each field is typed in: the browser may fill them in by these names. */
const INPUTS: Readonly<Record<FieldName, Pick<FieldProps, 'autocomplete' | 'inputMode' | 'maxLength' | 'wide'>>> = {
  number: { autocomplete: 'cc-number', inputMode: 'numeric', maxLength: 23, wide: true },
  holder: { autocomplete: 'cc-name', maxLength: 64, wide: true },
  expiry: { autocomplete: 'cc-exp', inputMode: 'numeric', maxLength: 7 },
  cvv: { autocomplete: 'cc-csc', inputMode: 'numeric', maxLength: 4 },
  email: { autocomplete: 'email', inputMode: 'email', wide: true },
  document: { maxLength: 20, wide: true },
  phone: { autocomplete: 'tel-national', inputMode: 'tel', maxLength: 20, wide: true },
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
const ALL: readonly FieldName[] = [...CARD, ...PAYER, ...ADDRESS]

/** The card's form. Number and code go to the processor, whose token goes to the server with the rest. */
export function CardPanel(props: MethodProps & Unverified & FiatFields) {
  const { view, typed, onTyped, messages } = props
  const { form, problems, problem, isBusy, pay } = useCardPay(props)
  const draw = (name: FieldName) => (
    <Field
      key={name}
      name={`card-${name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}`}
      label={labelOf(name, typed.number ?? '', messages.fields[name])}
      value={typed[name] ?? ''}
      format={(text) => formatted(name, text)}
      onValue={(value) => {
        onTyped(name, value)
        if (name === 'number' && isFull(value)) problems.leave(name)
      }}
      onLeave={() => {
        problems.leave(name)
      }}
      problem={problems.of(name)}
      placeholder={name === 'expiry' ? messages.fields.expiryForm : undefined}
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
          label={fill(messages.card.submit, { amount: toPay(view, messages) })}
          isBusy={isBusy}
          messages={messages}
        />
        <p class="small">{messages.card.safe}</p>
      </div>
    </form>
  )
}

/** What the button says: the price, and about what the bank is asked for where that is another currency; a card's charge is made anew. */
function toPay(view: PageView, messages: Messages): string {
  const { charge } = view
  const price = amountOf(view, messages)
  return charge ? `${price} (≈ ${amountOf(charge, messages)})` : price
}

/** Has the card charged, once nothing that was typed is wrong. */
function useCardPay({
  view,
  onView,
  onUnverified,
  act,
  messages,
  typed,
  onTyped,
}: MethodProps & Unverified & FiatFields) {
  const form = useRef<HTMLFormElement>(null)
  const now = Date.parse(view.now)
  const problems = useProblems(typed, fieldProblems(ALL, typed, { now, messages }))
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const fail = (code: string, wrong: readonly FieldName[]): void => {
    problems.refuse(Object.fromEntries(wrong.map((name) => [name, hintOf(name, messages)])))
    setProblem(messages.errors[code] ?? messages.errors.other)
    if (wrong.length > 0) focusFirstProblem(form.current)
  }
  const pay = async (): Promise<void> => {
    const { cardTokenUrl } = view
    setProblem(undefined)
    if (!problems.submit()) focusFirstProblem(form.current)
    else if (!isBusy && cardTokenUrl !== null) {
      setBusy(true)
      const token = await tokenize(cardTokenUrl, typed, now)
      const outcome = await charge(act, token, typed, view)
      setBusy(false)
      // A code is good once.
      if (token.ok) onTyped('cvv', '')
      if (!outcome.ok && asksForIdentity(outcome.code, view)) onUnverified(typed.email ?? '')
      else if (!outcome.ok) fail(outcome.code, [...outcome.fields].filter(isFieldName))
      if (outcome.view) onView(outcome.view)
      if (outcome.ok) leadToBank(outcome.view)
    }
  }
  return { form, problems, problem, isBusy, pay }
}

/** Has a card charged, by its token where there is one. */
function charge(act: Act, token: TokenOutcome, typed: Typed, { charge: seen }: PageView): Promise<Outcome> {
  return token.ok ? act('card', { token: token.id, seen: seen?.amount, ...payerOf(typed) }) : Promise.resolve(token)
}

/** In a shop's frame the payer opens it himself: banks do not let themselves be framed. */
function leadToBank({ challengeUrl }: PageView): void {
  if (challengeUrl !== null && window.top === window) location.assign(challengeUrl)
}

function labelOf(name: FieldName, number: string, label: string): string {
  const brand = name === 'number' ? brandOf(number) : undefined
  return brand === undefined ? label : `${label} · ${brand}`
}

function isFieldName(name: string): name is FieldName {
  return name in INPUTS
}
