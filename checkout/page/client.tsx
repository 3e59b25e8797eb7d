import { hydrate } from 'preact'
import { App } from './app.js'
import type { Messages } from './messages/messages.js'
import type { Boot } from './view.js'

const root = document.getElementById('app')
const boot = document.getElementById('boot')?.textContent
if (root && boot) hydrate(<App {...(JSON.parse(boot) as Boot & { messages: Messages })} />, root)
