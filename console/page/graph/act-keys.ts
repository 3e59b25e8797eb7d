const KEY_BYTES = 16

/** Something that was asked for and is not known to be done. */
interface Sent {
  act: string
  /** With what. */
  asked: string
  key: string
  /** The newest form that was open; undefined where none was. */
  form: object | undefined
}

let sent: readonly Sent[] = []
/** The forms and dialogs that are open, the newest last. */
let forms: readonly object[] = []
/** Whether the session has ended in this tab, and nobody has signed in since. */
let isSessionOver = false

/**
 * The idempotency key of an act: the same for the same act until it is forgotten, so that what is sent again after its answer was lost is
 * done once.
 * @param act which it is, and who does it where
 */
export function keyOf(act: string, variables: unknown): string {
  const asked = JSON.stringify(variables)
  const known = sent.find((one) => one.act === act && one.asked === asked)
  if (known) {
    // Of a form that went with the session: it is open again, and what was typed with it.
    const isOpen = known.form === undefined || forms.includes(known.form)
    if (!isOpen) sent = sent.map((one) => (one === known ? { ...known, form: forms.at(-1) } : one))
    return known.key
  }
  const key = newKey()
  sent = [...sent, { act, asked, key, form: forms.at(-1) }]
  return key
}

/**
 * From here on an act is meant once more, as it was done. All that was sent of it is forgotten, whatever it was asked with: what was done
 * may have undone that. A refusal is no end, and neither is the question for a proof.
 */
export function forgetAct(act: string): void {
  sent = sent.filter((one) => one.act !== act)
}

/**
 * Tells that a form or a dialog is open. What is asked for in another one is meant once more.
 * @returns to be called once it is closed: what was asked for in it is forgotten, and nothing else
 */
export function openForm(): () => void {
  const form = {}
  forms = [...forms, form]
  return () => {
    forms = forms.filter((open) => open !== form)
    if (!isSessionOver) sent = sent.filter((one) => one.form !== form)
  }
}

/**
 * Tells whether a session has ended. The forms that close with it come again as they were (`kept-drafts.ts`), and what was sent of them may have
 * been done: it keeps its key.
 */
export function tellSessionOver(isOver: boolean): void {
  isSessionOver = isOver
}

/** Not `randomUUID`, which browsers have for https alone. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(KEY_BYTES)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}
