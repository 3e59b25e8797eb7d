import type { Messages } from './messages/messages.js'

/** A field of a form: its visible label, what is typed, and what is wrong with it. */
export interface FieldProps {
  name: string
  label: string
  value: string
  onValue: (value: string) => void
  problem?: string | undefined
  inputMode?: 'numeric' | 'email' | 'tel' | 'text'
  autocomplete?: string
  maxLength?: number
  wide?: boolean
}

/** A text field with its label above, and its problem below, which is read out with it. */
export function Field({ name, label, value, onValue, problem, wide, ...input }: FieldProps) {
  const { autocomplete, inputMode, maxLength } = input
  return (
    <p class={wide ? 'field wide' : 'field'}>
      <label for={name}>{label}</label>
      <input
        id={name}
        name={name}
        data-test={name}
        type="text"
        value={value}
        inputMode={inputMode}
        autocomplete={autocomplete}
        maxLength={maxLength}
        required
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : `${name}-problem`}
        onInput={(event) => {
          onValue(event.currentTarget.value)
        }}
      />
      {problem !== undefined && (
        <span class="problem" id={`${name}-problem`}>
          {problem}
        </span>
      )}
    </p>
  )
}

/** The button that pays; while it works it says so, and a second click does nothing. */
export function PayButton({ label, isBusy, messages }: { label: string; isBusy: boolean; messages: Messages }) {
  return (
    <button class="primary" type="submit" data-test="pay" disabled={isBusy} aria-busy={isBusy}>
      {isBusy ? messages.working : label}
    </button>
  )
}

/** What went wrong, read out at once. */
export function Alert({ text }: { text: string | undefined }) {
  return (
    <div role="alert" aria-live="assertive">
      {text !== undefined && <p class="alert">{text}</p>}
    </div>
  )
}

/** Moves to the first field that is wrong, once it is drawn. */
export function focusFirstProblem(form: HTMLFormElement | null): void {
  setTimeout(() => {
    form?.querySelector<HTMLInputElement>('[aria-invalid="true"]')?.focus()
  })
}
