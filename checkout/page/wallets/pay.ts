import type { Act } from '../actions.js'
import type { PageView } from '../view.js'
import type { Wallet } from './discover.js'
import { connectEvm, sendEvm, sendToAddress, type Eip1193, type EvmOffer } from './evm.js'
import { remember, type Remembered } from './remember.js'
import { connectSolana, sendSolana, type SolanaOffer } from './solana.js'
import { WalletProblem, type Step } from './steps.js'

/** What paying by a wallet needs. */
export interface WalletPayment {
  act: Act
  where: { chain: string; token: string }
  /** Whether the payment has an address of its own there, for this token. */
  hasAddress: boolean
  onStep: (step: Step) => void
  onView: (view: PageView) => void
}

/** What the wallet sent, to be handed in; nothing where it is looked for at an address; or why the server built nothing. */
export type WalletOutcome = { ok: true; sent: Remembered | undefined } | { ok: false; code: string }

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
  const isRefused = !built.ok && built.code === 'validation_error' && built.fields.includes('wallet')
  if (isRefused && wallet.family === 'evm' && payment.hasAddress) return payAtAddress(wallet.provider, address, payment)
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

/** A contract wallet signs nothing: it sends to the payment's own address, which is watched. */
async function payAtAddress(
  provider: Eip1193,
  from: string,
  { act, where, onStep, onView }: WalletPayment,
): Promise<WalletOutcome> {
  const opened = await act('address', { chain: where.chain })
  if (!opened.ok) return { ok: false, code: opened.code }
  const { address } = opened.view
  if (address?.link == null) throw new WalletProblem('failed')
  try {
    await sendToAddress(provider, from, { link: address.link, chain: address.chain }, onStep)
  } finally {
    onView(opened.view)
  }
  return { ok: true, sent: undefined }
}
