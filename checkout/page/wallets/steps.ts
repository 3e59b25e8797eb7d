/** What is waited for, in the order in which it comes; each has its text in `messages.wallet`. */
export type Step = 'connecting' | 'building' | 'switching' | 'approving' | 'signing' | 'waiting'

/** What a wallet could not do, or was told not to; each kind has its text in `messages.wallet`. */
export class WalletProblem extends Error {
  override readonly name = 'WalletProblem'
  constructor(readonly kind: 'refused' | 'busy' | 'wrongNetwork' | 'failed') {
    super(kind)
  }
}
