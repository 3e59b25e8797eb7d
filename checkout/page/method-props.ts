import type { Act } from './actions.js'
import type { Messages } from './messages/messages.js'
import type { PageView } from './view.js'

/** What every way to pay is given. */
export interface MethodProps {
  view: PageView
  onView: (view: PageView) => void
  act: Act
  messages: Messages
}
