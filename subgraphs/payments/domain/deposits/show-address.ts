import { getAddress } from 'viem'
import { fromBaseUnits, toBaseUnits } from '../../../../kernel/money.js'
import type { EnabledChains } from '../../model/chain-access.js'
import { isByAddress, leastOf, type PaymentAddress } from '../../model/payment-address.js'
import type { Payment } from '../../store/payment.entity.js'

/** A payment's address as people and wallets read it; amounts are decimal strings. */
export interface ShownAddress {
  chainName: string
  address: string
  token: string
  amount: string
  received: string
  missing: string
  expiresAt: Date
  link: string | null
}

/** The address that a payment waits at, or was paid at; null where it is paid otherwise. */
export function showAddress(
  { settings }: EnabledChains,
  payment: Payment,
  addresses: readonly PaymentAddress[],
): ShownAddress | null {
  const found = isByAddress(payment) ? addresses.find(({ chainName }) => chainName === payment.chainName) : undefined
  const chain = settings.chains.find(({ name }) => name === found?.chainName)
  if (!found || chain?.family !== 'evm') return null
  const { chainName, due, decimals, expiresAt } = found
  const received = payment.receivedAmount ?? '0'
  const has = toBaseUnits(received, decimals)
  const missing = has >= leastOf(found) ? 0n : due - has
  const [address, token] = [getAddress(found.address), getAddress(found.token)]
  // EIP-681: eips.ethereum.org/EIPS/eip-681. Whole numbers, for not all wallets read exponents.
  const link = `ethereum:${token}@${chain.chainId}/transfer?address=${address}&uint256=${missing}`
  return {
    ...{ chainName, address, token, received, expiresAt },
    amount: fromBaseUnits(due, decimals),
    missing: fromBaseUnits(missing, decimals),
    link: missing > 0n ? link : null,
  }
}
