import { toBaseUnits } from '../../../../kernel/money.js'
import { isByAddress, type Deposit } from '../../model/payment-address.js'
import type { LoadedAddress } from '../../store/addresses.js'
import type { Payment } from '../../store/payment.entity.js'

/** What a wallet has paid several receivers with, at the payment's own address: it is counted without it. */
export interface FromWallet {
  /** In base units; a bridge may have brought a little more. */
  amount: bigint
  /** The transaction that brought it, where it was found at the address. */
  hash: string | undefined
  /** Nobody knows yet whether it was found: as much seems to have lain there before. */
  isUnsure?: true
}

/** Whether a wallet's transaction has been handed in, and nobody knows yet whether it pays the payment. */
export function isOnItsWay(payment: Payment): boolean {
  const { status, transactionType, tidHash, signedTransaction } = payment
  return (
    status === 'pending' &&
    transactionType === 'crypto' &&
    !isByAddress(payment) &&
    Boolean(tidHash ?? signedTransaction)
  )
}

/** What the wallet that has paid a payment has sent to this address of it, itself or by a bridge; undefined where it was paid otherwise. */
export function fromWallet(payment: Payment, { address, deposits }: LoadedAddress): FromWallet | undefined {
  const { status, transactionType, tidHash, amountTo, chainName, toChain, splitVersion } = payment
  if (status !== 'success' || transactionType !== 'crypto' || !tidHash || !amountTo || isByAddress(payment))
    return undefined
  if ((toChain ?? chainName) !== address.chainName || splitVersion !== address.splitVersion) return undefined
  const amount = toBaseUnits(amountTo, address.decimals)
  if (chainName !== address.chainName) return bridged({ address, deposits }, amount)
  return { amount, hash: deposits.find(({ hash }) => hash === tidHash)?.hash }
}

/** Where as much lay at a watched address before the watch as the bridge was to bring, that is it, and all that was found came besides. */
function bridged({ address, deposits }: LoadedAddress, amount: bigint): FromWallet {
  const { lastReadBlock, laidBefore, lookBackAt } = address
  if (lastReadBlock !== null || laidBefore < amount) return { amount, hash: bridgedBy(deposits, amount) }
  return { amount, hash: undefined, ...(lookBackAt !== null && { isUnsure: true }) }
}

/**
 * What a bridge brings has another hash than what the wallet has sent, and was proved to be as much as was asked for. Where several
 * transactions have brought that, it is the least.
 */
function bridgedBy(deposits: readonly Deposit[], least: bigint): string | undefined {
  const amounts = [...Map.groupBy(deposits, ({ hash }) => hash)].map(([hash, ofHash]) => ({
    hash,
    amount: ofHash.reduce((total, { amount }) => total + amount, 0n),
  }))
  const enough = amounts.filter(({ amount }) => amount >= least)
  return enough.toSorted((one, other) => (one.amount < other.amount ? -1 : 1))[0]?.hash
}
