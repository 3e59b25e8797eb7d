import { AppError } from '../../../../kernel/errors.js'
import type { EnabledChains } from '../../model/chain-access.js'
import type { CreateTransactionInput } from '../../model/transaction-input.js'
import { spelledWallet, type WalletScreening } from '../../screening/screen-wallets.js'
import type { Payment } from '../../store/payment.entity.js'

/** What screening the wallets of a payment needs. */
export type ScreenPaymentDeps = EnabledChains & WalletScreening

/**
 * Refuses a payment before anybody is charged of which the payer's wallet or a receiver's is refused by what the deployment
 * asks. Receivers are asked about again before each payout.
 * @throws wallet_refused, which does not name the payer's wallet; provider_unavailable, provider_timeout
 */
export async function assertWalletsAllowed(
  { screen, settings }: ScreenPaymentDeps,
  { splitPaymentConfig, toChain }: Pick<Payment, 'splitPaymentConfig' | 'toChain'>,
  { payerWallet, chainName }: Pick<CreateTransactionInput, 'payerWallet' | 'chainName'>,
): Promise<void> {
  if (!screen) return
  const chainOf = (name: string | null | undefined) => settings.chains.find((chain) => chain.name === name)
  const refusedOn = async (name: string | null | undefined, wallets: readonly string[]) => {
    const chain = chainOf(name)
    const refused = chain && wallets.length > 0 ? await screen.findRefused(chain, wallets) : new Set<string>()
    return new Set([...refused].map(spelledWallet))
  }
  if (payerWallet && (await refusedOn(chainName, [payerWallet])).size > 0) {
    throw new AppError('wallet_refused', { details: 'the wallet of the payer' })
  }
  const receivers = splitPaymentConfig.map(({ receiverWallet }) => receiverWallet)
  const refused = await refusedOn(toChain ?? chainName, receivers)
  const place = receivers.findIndex((receiver) => refused.has(spelledWallet(receiver)))
  if (place >= 0) throw new AppError('wallet_refused', { details: `the wallet of receiver ${place}` })
}
