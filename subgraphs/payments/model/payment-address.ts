import type { Address, Hex } from 'viem'
import type { PaymentFailure } from './payment-failure.js'
import type { PaymentStatus } from './payment-status.js'
import type { TransactionType } from './transaction-type.js'
import type { UnsignedTransaction } from './unsigned-transaction.js'

/** The address that a payment can be paid at on one chain, and what is due there. Addresses are in lower case. */
export interface PaymentAddress {
  tenantId: string
  paymentId: string
  chainName: string
  address: Address
  /** Which forwarder's the address is; it stays so when it is opened again. */
  splitVersion: number
  token: Address
  decimals: number
  /** In base units. */
  due: bigint
  /** How much less counts as the whole; a decimal string in percent. */
  tolerancePercent: string
  /** From which block on something may have come. */
  fromBlock: bigint
  /**
   * What is known to have come and was not read, as the address was not opened yet, or its watch was over: it is no part of what its payer
   * sends. In base units.
   */
  laidBefore: bigint
  /** When its price runs out. */
  expiresAt: Date
  /** What comes after this is not read any more, once the chain was read up to it. */
  watchUntil: Date
  /** The last block that was read for it, once its watch is over; null while it is watched. */
  lastReadBlock: bigint | null
  /** When the chain is asked how much has come there in all, as nobody may have read some of it; null: it is not. */
  lookBackAt: Date | null
  /** Of what came, how much the receivers get, or have got: the rest is too little to be worth the gas. In base units. */
  shared: bigint
  /** What is booked of all that was shared out, with it what lay there unread. */
  booked: bigint
  /** When it is looked at again though nothing comes; null: it is not. */
  lookAt: Date | null
}

/** What is written down of an address as it is opened. */
export type OpenedAddress = Omit<PaymentAddress, 'shared' | 'booked' | 'lookAt' | 'lastReadBlock' | 'lookBackAt'>

/** Where a payment is paid on a chain. */
export type AddressPlace = Pick<
  PaymentAddress,
  'address' | 'splitVersion' | 'token' | 'decimals' | 'fromBlock' | 'laidBefore'
>

/** Something that came to an address of a payment, in base units. */
export interface Deposit {
  hash: string
  logIndex: number
  sender: string
  amount: bigint
  /** When its block was made. */
  minedAt: Date
  /** Whether who sent it may pay; null while nobody has asked. Nothing that is refused, or not asked about, counts. */
  verdict: 'allowed' | 'refused' | null
  /** Whether the payment has been moved on by it. */
  isApplied: boolean
}

/** A deposit as it is found on the chain. */
export interface NewDeposit extends Omit<Deposit, 'verdict' | 'isApplied'> {
  tenantId: string
  paymentId: string
  blockNumber: bigint
  blockHash: Hex
}

/** So long after it was opened something that comes to an address is still seen, unless newer ones need its room. */
export const WATCH_MS = 30 * 24 * 3_600_000

/** What of a payment says that it is paid at its address. */
interface Attempted {
  status: PaymentStatus
  transactionType?: TransactionType | null | undefined
  unsignedTransaction?: UnsignedTransaction | null | undefined
  chainName?: string | null | undefined
  dataError?: PaymentFailure | null | undefined
}

/** Whether a payment waits for money at its own address, or was paid there: no transaction was built for a wallet. */
export function isByAddress({ status, transactionType, unsignedTransaction }: Attempted): boolean {
  return status !== 'registered' && transactionType === 'crypto' && !unsignedTransaction
}

/** More is no exchange's fee any more. */
const TOLERANCE_MAX = 10

/** Whether a text says how much less than the price may count as the whole: 0 to 10 percent, with two decimals at most. */
export function isTolerance(percent: string): boolean {
  return /^\d{1,2}(?:\.\d{1,2})?$/.test(percent) && Number(percent) <= TOLERANCE_MAX
}

/** The failure of a payment to whose address too little came in time. */
export const UNDERPAID = 'underpaid'

/** Whether too little came to the address of a payment, and its tenant has not decided about it. */
export function isUnderpaid({ status, dataError }: Attempted): boolean {
  return status === 'error' && dataError?.code === UNDERPAID
}

/** The least that counts as the whole, in base units: what is due less the tolerance, rounded up. */
export function leastOf({ due, tolerancePercent }: Pick<PaymentAddress, 'due' | 'tolerancePercent'>): bigint {
  const [whole = '0', decimals = ''] = tolerancePercent.split('.')
  const hundredths = BigInt(whole + decimals.padEnd(2, '0').slice(0, 2))
  const least = (due * (10_000n - hundredths) + 9_999n) / 10_000n
  return least > 0n ? least : 1n
}

/** What has come to an address in all, of senders who may pay. */
export interface Received {
  total: bigint
  /** The deposit that made it whole; undefined while it is not. */
  whole: Deposit | undefined
  isLate: boolean
  /** What came beyond what is due. */
  over: bigint
}

/** Adds up what has come, the oldest first. */
export function receivedAt(address: PaymentAddress, deposits: readonly Deposit[]): Received {
  const least = leastOf(address)
  let total = 0n
  let whole: Deposit | undefined
  for (const deposit of deposits.filter(({ verdict }) => verdict === 'allowed')) {
    total += deposit.amount
    if (!whole && total >= least) whole = deposit
  }
  const isLate = whole !== undefined && whole.minedAt > address.expiresAt
  return { total, whole, isLate, over: total > address.due ? total - address.due : 0n }
}
