import type { Act } from '../actions.js'
import type { PageView } from '../view.js'
import type { Wallet } from './discover.js'
import { connectEvm, sendEvm, type EvmOffer } from './evm.js'
import { remember, type Remembered } from './remember.js'
import { connectSolana, sendSolana, type SolanaOffer } from './solana.js'
import { WalletProblem, type Step } from './steps.js'

/** What paying by a wallet needs. */
export interface WalletPayment {
  act: Act
  where: { chain: string; token: string }
  onStep: (step: Step) => void
  onView: (view: PageView) => void
}

/** What the wallet sent, to be handed in; or why the server built nothing. */
export type WalletOutcome = { ok: true; sent: Remembered } | { ok: false; code: string }

/**
 * Connects the wallet, has the server build its transaction, and has the wallet send it. What was sent is remembered at
 * once, before the server is told.
 * @throws WalletProblem
 */
export async function payWith(wallet: Wallet, payment: WalletPayment): Promise<WalletOutcome> {
  const { act, where, onStep, onView } = payment
  onStep('connecting')
  const account = wallet.family === 'evm' ? await connectEvm(wallet.provider) : await connectSolana(wallet.wallet)
  const address = typeof account === 'string' ? account : account.address
  onStep('building')
  const built = await act<EvmOffer | SolanaOffer>('wallet', { wallet: address, ...where })
  if (built.view) onView(built.view)
  if (!built.ok) return { ok: false, code: built.code }
  const { given: offer } = built
  let sent: Remembered
  if (offer.family === 'evm' && wallet.family === 'evm') {
    sent = { hash: await sendEvm(wallet.provider, offer, onStep) }
  } else if (offer.family === 'solana' && wallet.family === 'solana' && typeof account !== 'string') {
    onStep('signing')
    sent = await sendSolana(wallet.wallet, account, offer)
  } else {
    throw new WalletProblem('wrongNetwork')
  }
  remember(location.pathname, sent)
  return { ok: true, sent }
}
