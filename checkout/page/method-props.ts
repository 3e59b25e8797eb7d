import type { Act } from './actions.js'
import type { Typed } from './card-fields.js'
import type { Messages } from './messages/messages.js'
import type { PageView } from './view.js'

/** What every way to pay is given. */
export interface MethodProps {
  view: PageView
  onView: (view: PageView) => void
  act: Act
  messages: Messages
}

/** What a way to pay of fiat tells: that the shop has to know who it is that pays. */
export interface Unverified {
  onUnverified: (email: string) => void
}

/** Who pays by Pix, as the server is told it. */
export function pixPayer({ document: cpf = '', email = '' }: Typed): { cpf: string; email: string } {
  return { cpf, email }
}

/** What a payer is told of a refusal. */
export function refusalText(code: string, { errors }: Messages): string {
  return errors[code] ?? errors.other
}

/** Whether a refusal can be mended here, by the payer proving who he is. */
export function asksForIdentity(code: string, { canVerify }: PageView): boolean {
  return canVerify && code.startsWith('kyc_')
}
