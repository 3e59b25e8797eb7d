import type { Address, Hex } from 'viem'
import type { EvmChain } from '../chain.js'
import { payoutBatchAddress, readBatchCall } from './payout-batch.js'
import { transferCall } from './transfer-call.js'

/** A token's transfer that a transaction has made; the amount in base units. */
interface MadeTransfer {
  token: Address
  to: Address
  amount: bigint
}

/** A reference as it is compared: the 16 bytes that a batch carries of each. */
export function shortReference(reference: Hex): Hex {
  return reference.slice(0, 34).toLowerCase() as Hex
}

/**
 * The references that a transaction of ours carries for one of its transfers, each as `shortReference`: that of a single transfer, or those of
 * the batch's legs of this receiver and amount. There are several where a batch pays one receiver the same twice: whether one of them was
 * left out, its calldata does not say.
 * @returns none where this product has not made the transaction, as when somebody sends by hand
 */
export function carriedReferences(
  { split }: Pick<EvmChain, 'split'>,
  { to, input }: { to: string; input: Hex },
  { token, to: receiver, amount }: MadeTransfer,
): Hex[] {
  const [target, data] = [to.toLowerCase(), input.toLowerCase() as Hex]
  if (target === token.toLowerCase()) {
    const call = transferCall({ asset: { kind: 'token', address: token, decimals: 0 }, to: receiver, amount })
    const isOurs = data.startsWith(call.data) && data.length === call.data.length + 64
    return isOurs ? [shortReference(`0x${data.slice(call.data.length)}`)] : []
  }
  if (!split || target !== payoutBatchAddress(split).toLowerCase()) return []
  const batch = readBatchCall(data)
  if (batch?.token.toLowerCase() !== token.toLowerCase()) return []
  const legs = batch.legs.filter((leg) => leg.to.toLowerCase() === receiver.toLowerCase() && leg.amount === amount)
  return [...new Set(legs.map(({ reference }) => reference))]
}
