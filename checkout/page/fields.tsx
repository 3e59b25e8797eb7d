import type { Messages } from './messages/messages.js'

/** A field of a form: its visible label, what is typed, and what is wrong with it. */
export interface FieldProps {
  name: string
  label: string
  value: string
  onValue: (value: string) => void
  /** The payer goes on to another field. */
  onLeave?: () => void
  /** How what is typed is written: with spaces, points and strokes where they belong. */
  format?: (typed: string) => string
  problem?: string | undefined
  inputMode?: 'numeric' | 'email' | 'tel' | 'text'
  autocomplete?: string
  placeholder?: string | undefined
  maxLength?: number
  wide?: boolean
}

/** Telephones write no capital letter at the beginning of an e-mail address then. */
const EMAIL = { type: 'email' } as const
const TEXT = { type: 'text' } as const

/**
 * A text field with its label above, and its problem below, which is read out with it. It has no `name`: what is typed is in nothing
 * that a browser sends by itself, in an address least of all.
 */
export function Field({ name, label, value, onValue, onLeave, format, problem, wide, ...input }: FieldProps) {
  const { autocomplete, inputMode, maxLength, placeholder } = input
  return (
    <p class={wide ? 'field wide' : 'field'}>
      <label for={name}>{label}</label>
      <input
        id={name}
        data-test={name}
        {...(inputMode === 'email' ? EMAIL : TEXT)}
        value={value}
        inputMode={inputMode}
        autocomplete={autocomplete}
        placeholder={placeholder}
        maxLength={maxLength}
        required
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : `${name}-problem`}
        onInput={({ currentTarget }) => {
          onValue(format ? rewrite(currentTarget, format) : currentTarget.value)
        }}
        onBlur={onLeave}
      />
      {problem !== undefined && (
        <span class="problem" id={`${name}-problem`}>
          {problem}
        </span>
      )}
    </p>
  )
}

/** Writes what was typed as it should be, and leaves the caret behind the same letter or digit. @returns what is written */
function rewrite(input: HTMLInputElement, format: (typed: string) => string): string {
  const { value: typed, selectionStart } = input
  const written = format(typed)
  if (written === typed) return written
  const isAtEnd = selectionStart === null || selectionStart === typed.length
  let left = isAtEnd ? written.length : lettersIn(typed.slice(0, selectionStart))
  let place = isAtEnd ? written.length : 0
  for (; left > 0 && place < written.length; place += 1) left -= lettersIn(written[place] ?? '')
  input.value = written
  input.setSelectionRange(place, place)
  return written
}

function lettersIn(text: string): number {
  return text.replace(/[^\dA-Za-z]/g, '').length
}

/** The button that pays; while it works it says so, its form does nothing at a second click, and the focus stays: one that is disabled loses it. */
export function PayButton({ label, isBusy, messages }: { label: string; isBusy: boolean; messages: Messages }) {
  return (
    <button class="primary" type="submit" data-test="pay" aria-disabled={isBusy} aria-busy={isBusy}>
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
