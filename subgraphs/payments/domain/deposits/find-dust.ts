import { minPayout } from '../../../../chains/min-payout.js'
import type { Transaction } from '../../../../kernel/database.js'
import { compare, fromBaseUnits } from '../../../../kernel/money.js'
import type { EnabledChains } from '../../model/chain-access.js'
import { receivedAt, type PaymentAddress } from '../../model/payment-address.js'
import type { Runtime } from '../../model/runtime.js'
import type { AddressReads } from '../../rails/on-chain.js'
import type { LoadedAddress } from '../../store/addresses.js'
import type { Payment } from '../../store/payment.entity.js'
import type { Stores } from '../../store/stores.js'

/** What finding dust needs. */
export type FindDustDeps = EnabledChains &
  Pick<AddressReads, 'isWorthSharing'> &
  Pick<Runtime, 'clock'> &
  Pick<Stores, 'addresses'>

/** What came to a payment, where it is next to nothing. */
export interface Dust {
  /** As the payment shows it. */
  receivedAmount: string
  addresses: readonly PaymentAddress[]
}

/**
 * What has come to the addresses of a payment, where all of it is too little to be shared out and to be given back: whoever has
 * the link of its page can send that for next to nothing, and it must not bind the payment.
 */
export async function findDust(deps: FindDustDeps, payment: Payment): Promise<Dust | undefined> {
  const { receivedAmount } = payment
  if (!receivedAmount) return undefined
  const [all = []] = await deps.addresses.ofPayments(payment.tenantId, [payment.id])
  const loaded = await Promise.all(all.map((address) => deps.addresses.read(address)))
  const isAll = loaded.every((one) => one === undefined || isDust(deps, payment, one))
  return isAll ? { receivedAmount, addresses: all } : undefined
}

/** Has it looked at again once its payment is over, in the transaction of `em`: it is held then. */
export async function lookAgainAt({ addresses, clock }: FindDustDeps, em: Transaction, dust: Dust): Promise<void> {
  for (const reference of dust.addresses) {
    const loaded = await addresses.load(em, reference)
    if (loaded) await addresses.decided(em, loaded.address, clock.now(), loaded.address.shared)
  }
}

/** What is refused is an operator's to decide about, however little it is. */
function isDust(deps: FindDustDeps, payment: Payment, { address, deposits }: LoadedAddress): boolean {
  if (deposits.some(({ verdict }) => verdict === 'refused')) return false
  const { total } = receivedAt(address, deposits)
  if (total === 0n) return true
  const { chainName, decimals } = address
  const chain = deps.settings.chains.find(({ name }) => name === chainName)
  if (!chain || deps.isWorthSharing({ ...payment, chainName }, total)) return false
  return compare(fromBaseUnits(total, decimals), minPayout(chain, payment.toCurrencySymbol).amount) < 0
}
