import { hydrate } from 'preact'
import { App } from './app.js'
import { loadDrawn } from './lazy.js'
import type { Messages } from './messages/messages.js'
import type { Boot } from './view.js'

const root = document.getElementById('app')
const text = document.getElementById('boot')?.textContent
if (root && text) {
  const boot = JSON.parse(text) as Boot & { messages: Messages }
  const start = (): void => {
    hydrate(<App {...boot} />, root)
  }
  // What could not be loaded is asked for again by the page.
  void loadDrawn(boot.view).then(start, start)
}
