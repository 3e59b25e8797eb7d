import { erc20Abi, isAddressEqual, parseEventLogs, type Address, type TransactionReceipt } from 'viem'
import type { Destination } from './destination.js'

/**
 * Whether a router's transaction on the destination's own chain paid it at least `amount` base units. A router may pay a
 * little more than was asked for, and in several transfers. Native coin leaves no log: there a transaction that was not
 * reverted is the proof, as the offer's calldata was checked to pay exactly this address.
 */
export function receivedFromRouter(
  { asset, address }: Destination,
  receipt: TransactionReceipt,
  amount: bigint,
): boolean {
  if (receipt.status !== 'success') return false
  if (asset.kind === 'native') return true
  const received = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs: receipt.logs })
    .filter(
      ({ address: token, args }) =>
        isAddressEqual(token, asset.address as Address) && isAddressEqual(args.to, address as Address),
    )
    .reduce((total, { args }) => total + args.value, 0n)
  return received >= amount
}
