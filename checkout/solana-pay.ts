import type { ActionAnswer } from './action-answer.js'
import type { OpenPage } from './deps.js'
import { MESSAGES } from './language.js'
import { amountOf, fill } from './page/text.js'
import type { Language } from './page/view.js'

/**
 * What a wallet's app shows before it says which account pays: Solana Pay's transaction request, the answer to its GET
 * (github.com/solana-foundation/pay, SPEC.md).
 * @param icon an absolute URL
 */
export function solanaPayLabel({ view }: OpenPage, language: Language, icon: string): { label: string; icon: string } {
  return { label: view.merchant ?? MESSAGES[language].title, icon }
}

/**
 * What a wallet's app signs: the answer to its POST. The transaction is the one that was built for the payment, base64; the
 * app may put in a newer blockhash.
 */
export function solanaPayAnswer({ status, body }: ActionAnswer, { view }: OpenPage, language: Language): object {
  const messages = MESSAGES[language]
  const { given, error } = body as { given?: { wire?: string }; error?: { code?: string } }
  if (status !== 200 || given?.wire === undefined) {
    return { message: messages.errors[error?.code ?? 'other'] ?? messages.errors.other }
  }
  const to = view.merchant === null ? '' : `${fill(messages.to, { merchant: view.merchant })} · `
  return { transaction: given.wire, message: `${to}${amountOf(view, messages)}` }
}
