import { hydrate } from 'preact'
import { App } from './app.js'
import { loadDrawn } from './lazy.js'
import type { Messages } from './messages/messages.js'
import type { Boot } from './view.js'

declare global {
  /** Presses what was pressed before the script came; the server has put it into the document. */
  function pressAgain(): void
}

/** What a payer has typed before the script came: the page knows nothing of it, and would empty its fields with the next change. */
function typedBefore(root: HTMLElement): { id: string; value: string }[] {
  return [...root.querySelectorAll('input')]
    .filter(({ value, defaultValue }) => value !== defaultValue)
    .map(({ id, value }) => ({ id, value }))
}

function typeAgain({ id, value }: { id: string; value: string }): void {
  const field = document.getElementById(id) as HTMLInputElement | null
  if (!field) return
  field.value = value
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

const root = document.getElementById('app')
const text = document.getElementById('boot')?.textContent
if (root && text) {
  const boot = JSON.parse(text) as Boot & { messages: Messages }
  const start = (): void => {
    const typed = typedBefore(root)
    hydrate(<App {...boot} />, root)
    typed.forEach(typeAgain)
    pressAgain()
  }
  // What could not be loaded is asked for again by the page.
  void loadDrawn(boot.view).then(start, start)
}
