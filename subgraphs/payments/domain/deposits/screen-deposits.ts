import type { EnabledChains } from '../../model/chain-access.js'
import { spelledWallet, type WalletScreening } from '../../screening/screen-wallets.js'
import type { LoadedAddress } from '../../store/addresses.js'
import type { Payment } from '../../store/payment.entity.js'
import type { Stores } from '../../store/stores.js'

/** What screening deposits needs. */
export type ScreenDepositsDeps = EnabledChains & WalletScreening & Pick<Stores, 'addresses'>

/**
 * Asks about those who have sent to a payment's address and were not asked about, and about its receivers: the price may be
 * weeks old. What is refused, or cannot be told, does not count.
 * @returns the address with what is known of its senders by now
 * @throws provider_unavailable, provider_timeout
 */
export async function screenDeposits(
  { addresses, screen, settings }: ScreenDepositsDeps,
  { splitPaymentConfig }: Pick<Payment, 'splitPaymentConfig'>,
  { address, deposits }: LoadedAddress,
): Promise<LoadedAddress> {
  const senders = [...new Set(deposits.filter(({ verdict }) => verdict === null).map(({ sender }) => sender))]
  if (senders.length === 0) return { address, deposits }
  const chain = settings.chains.find(({ name }) => name === address.chainName)
  const receivers = splitPaymentConfig.map(({ receiverWallet }) => receiverWallet)
  const found = chain && screen ? await screen.findRefused(chain, [...senders, ...receivers]) : new Set<string>()
  const refused = new Set([...found].map(spelledWallet))
  const isRefused = receivers.some((receiver) => refused.has(spelledWallet(receiver)))
  const bad = senders.filter((sender) => isRefused || refused.has(spelledWallet(sender)))
  const good = senders.filter((sender) => !bad.includes(sender))
  if (bad.length > 0) await addresses.judge(address, bad, 'refused')
  if (good.length > 0) await addresses.judge(address, good, 'allowed')
  const judged = (sender: string) => (bad.includes(sender) ? ('refused' as const) : ('allowed' as const))
  return { address, deposits: deposits.map((one) => ({ ...one, verdict: one.verdict ?? judged(one.sender) })) }
}
