import { compare, fromBaseUnits, isPositive, subtract, sum } from '../../../../kernel/money.js'
import { FINAL_ERRORS } from '../../model/attempt-rules.js'
import {
  isByAddress,
  receivedAt,
  UNDERPAID,
  type Deposit,
  type PaymentAddress,
  type Received,
} from '../../model/payment-address.js'
import type { PaymentCause } from '../../model/payment-cause.js'
import { paymentFailure } from '../../model/payment-failure.js'
import type { LoadedAddress } from '../../store/addresses.js'
import type { Alert } from '../../store/alerts.js'
import type { Payment } from '../../store/payment.entity.js'
import type { RecordedChange } from '../../store/payment-changes.js'
import { fromWallet } from './from-wallet.js'

/** What is in the last block in time may be confirmed a while after it; the chain is asked before its payment is underpaid. */
const GRACE_MS = 60_000
/** While an attempt of another kind may still succeed or fail, what came waits. */
const ATTEMPT_MS = 60_000

/** A payment, under its lock, and all that has come to its address on a chain. */
export interface Counting extends LoadedAddress {
  payment: Payment
  now: Date
  /** Whether so much, in base units, is worth the gas of sharing it out. */
  isWorth: (amount: bigint) => boolean
  /** Whether more is at the address than was found, and waits for its confirmations. */
  isMoreComing: boolean
}

/** What follows from what has come. */
export interface Decision {
  change?: RecordedChange | undefined
  /** The hash under which it was paid, where there is something to share out. */
  shareUnder?: string
  /** Of what came, how much the receivers get, in base units; as before where absent. */
  shared?: bigint
  /** When to look again though nothing comes. */
  lookAt?: Date
  /** What lies at the address and is not shared out, and what that is to an operator. */
  held?: { deposits: readonly Deposit[]; kind: 'paid_twice' | 'deposit_unexpected' }
  /** What a person has to look into. */
  trouble?: Pick<Alert, 'kind' | 'details'>
}

/** What becomes of a payment by all that has come to its address. Asked again about the same, it says the same, and changes nothing. */
export function decideDeposits(counting: Counting): Decision {
  const { payment, address, deposits, now } = counting
  const received = receivedAt(address, deposits)
  const { status, transactionType, signedTransaction, tidHash, dataError } = payment
  const isHere = isByAddress(payment) && payment.chainName === address.chainName
  if (isHere && tidHash && (status === 'pending' || status === 'success'))
    return afterWhole(counting, received, tidHash)
  const isOpen = status === 'pending' && transactionType === 'crypto' && !signedTransaction && !tidHash
  const isOver = status === 'reproved' || (status === 'error' && !FINAL_ERRORS.includes(dataError?.code ?? ''))
  const refused = deposits.filter(({ verdict }) => verdict === 'refused')
  if (refused.length > 0) return refusedPart(counting, received, refused)
  if (isOpen || isOver) return received.whole ? whole(counting, received, received.whole) : part(counting, received)
  if (status === 'pending') return { lookAt: new Date(now.getTime() + ATTEMPT_MS) }
  // What a wallet has sent to the address of its own split is the payment's transaction, and so is what its bridge has brought there.
  const wallet = fromWallet(payment, counting)
  if (wallet?.isUnsure) return { lookAt: new Date(now.getTime() + ATTEMPT_MS) }
  const own = [tidHash, wallet?.hash]
  const strange = deposits.filter(({ hash }) => isHere || !own.includes(hash))
  return strange.length > 0 ? heldAt(counting, received, strange) : {}
}

/** A payment that is over takes nothing: what has come lies at its address, and was paid twice where the payment was paid. */
function heldAt(counting: Counting, received: Received, strange: readonly Deposit[]): Decision {
  const kind = counting.payment.status === 'success' ? 'paid_twice' : 'deposit_unexpected'
  const { address } = counting
  // What was given back is about to be shared out, with all that lies there by then.
  if (address.booked < address.shared && received.total > address.shared) {
    const { change } = recorded(counting, received, 'deposit_received')
    return { change, shared: received.total, trouble: { kind, details: hashesOf(strange) } }
  }
  return { held: { deposits: notSharedOut(counting, strange), kind } }
}

/** Of what may count, what the receivers have not got: they have the oldest, as what is shared out is all that had come then. */
function notSharedOut({ address, deposits }: Counting, strange: readonly Deposit[]): Deposit[] {
  let total = 0n
  const lying = deposits.filter(({ amount, verdict }) => {
    if (verdict === 'allowed') total += amount
    return verdict === 'allowed' && total > address.shared
  })
  return lying.filter((deposit) => strange.includes(deposit))
}

/** The whole has come: the receivers get all of it. */
function whole(counting: Counting, received: Received, { hash }: Deposit): Decision {
  const { payment, address } = counting
  const { chainName, splitVersion } = address
  const change = {
    ...amountsOf(counting, received),
    status: 'pending' as const,
    transactionType: 'crypto' as const,
    ...{ chainName, splitVersion, tidHash: hash, late: received.isLate },
    signedTransaction: null,
    chargeId: null,
    unsignedTransaction: null,
    dataError: null,
    globalPaymentData: { message: 'The payer has paid; the receivers are being paid.' },
  }
  const recordedChange: RecordedChange = { change, cause: 'payer_paid', notify: payment.status !== 'pending' }
  return { change: recordedChange, shareUnder: hash, shared: received.total }
}

/** More has come, or a block that had some of it is gone. */
function afterWhole(counting: Counting, received: Received, tidHash: string): Decision {
  const { payment, address, deposits, isWorth } = counting
  const refused = deposits.filter(({ verdict }) => verdict === 'refused')
  if (refused.length > 0) return { ...recorded(counting, received, 'overpaid'), ...refusal(refused) }
  if (!received.whole && payment.status === 'success') return { trouble: { kind: 'payment_undone', details: tidHash } }
  if (!received.whole) return undone(counting, received)
  if (received.total < address.shared) return someUndone(counting, received, received.whole)
  const more = recorded(counting, received, 'overpaid')
  // Too little for a transaction waits until more comes.
  if (!isWorth(received.total - address.shared)) return more
  return { ...more, shareUnder: tidHash, shared: received.total }
}

/** A block that had some of what was to be shared out is gone, and the whole is still there: the receivers get what is. */
function someUndone(counting: Counting, received: Received, { hash }: Deposit): Decision {
  const { payment } = counting
  const tidHash = payment.status === 'pending' ? hash : (payment.tidHash ?? hash)
  const change = { ...amountsOf(counting, received), tidHash }
  const recordedChange: RecordedChange = { change, cause: 'deposit_undone', notify: payment.status !== 'pending' }
  return { change: recordedChange, shareUnder: tidHash, shared: received.total }
}

/** What paid it was in a block that the chain has dropped: it waits again. */
function undone(counting: Counting, received: Received): Decision {
  const { payment, address, now } = counting
  const message = 'The chain has dropped the block that the money was in; it is waited for again.'
  const change = { ...amountsOf(counting, received), tidHash: null, late: null, globalPaymentData: { message } }
  const lookAt = later(address.expiresAt, now)
  return { change: { change, cause: 'deposit_undone', notify: payment.status !== 'pending' }, shared: 0n, lookAt }
}

/** When a part is too little, unless more is on its way. */
function partEndsAt({ expiresAt }: PaymentAddress): Date {
  return new Date(expiresAt.getTime() + GRACE_MS)
}

/** Whether the rest of what a payment waits for would not be in time any more. */
export function isPartOver(payment: Payment, address: PaymentAddress, now: Date): boolean {
  return payment.status === 'pending' && !payment.tidHash && now >= partEndsAt(address)
}

/** Too little so far: the rest is waited for until the price runs out, and what was sent until it has its confirmations. */
function part(counting: Counting, received: Received): Decision {
  const { payment, address, deposits, now, isMoreComing } = counting
  // The payer has gone on to another chain, where the whole is asked for.
  if (isByAddress(payment) && payment.chainName !== address.chainName)
    return received.total > 0n ? unexpected(deposits) : {}
  const amounts = amountsOf(counting, received)
  const { receivedAmount } = amounts
  const isWaiting = payment.status === 'pending' && receivedAmount !== null
  const isOver = now >= partEndsAt(address)
  if (isWaiting && isOver && !isMoreComing) {
    const dataError = paymentFailure(UNDERPAID, 'Less than the whole came before the price ran out.', receivedAmount)
    const globalPaymentData = { message: dataError.message }
    const change = { ...amounts, status: 'error' as const, dataError, globalPaymentData, unsignedTransaction: null }
    return { change: { change, cause: UNDERPAID, notify: true } }
  }
  const message = receivedAmount === null ? 'Nothing has come yet.' : 'A part has come; the rest is waited for.'
  const more = recorded(counting, received, 'part_received', { globalPaymentData: { message } })
  const lookAt = isOver ? new Date(now.getTime() + GRACE_MS) : partEndsAt(address)
  return { ...more, ...(isWaiting && { lookAt }) }
}

/** Somebody who may not pay has sent something: nothing of what is there is shared out until an operator has decided. */
function refusedPart(counting: Counting, received: Received, refused: readonly Deposit[]): Decision {
  const { payment } = counting
  if (payment.status !== 'pending' || !isByAddress(payment)) {
    return { ...recorded(counting, received, 'deposit_refused'), ...refusal(refused) }
  }
  const dataError = paymentFailure('wallet_refused', 'Money has come from a wallet that is refused.')
  const globalPaymentData = { message: dataError.message }
  const change = {
    ...amountsOf(counting, received),
    status: 'error' as const,
    dataError,
    globalPaymentData,
  }
  return { change: { change, cause: 'deposit_refused', notify: true }, ...refusal(refused) }
}

/** The amounts as they are now, where they are others than before. */
function recorded(counting: Counting, received: Received, cause: PaymentCause, also: object = {}): Decision {
  const { payment, address } = counting
  // It shows what came where it is paid; of what came elsewhere, what is held.
  if (isByAddress(payment) && payment.chainName !== address.chainName) return {}
  const amounts = amountsOf(counting, received)
  if (amounts.receivedAmount === (payment.receivedAmount ?? null)) return {}
  return { change: { change: { ...amounts, ...also }, cause, notify: true } }
}

function refusal(refused: readonly Deposit[]): Pick<Decision, 'trouble'> {
  return { trouble: { kind: 'deposit_refused', details: hashesOf(refused) } }
}

function unexpected(deposits: readonly Deposit[]): Pick<Decision, 'trouble'> {
  return { trouble: { kind: 'deposit_unexpected', details: hashesOf(deposits) } }
}

const hashesOf = (deposits: readonly Deposit[]): string => deposits.map(({ hash }) => hash).join(', ')

/** What is held of another address of the payment stays in what came beyond what is due. */
function amountsOf(
  { payment, address: { decimals, due } }: Counting,
  { total, over }: Received,
): Record<'receivedAmount' | 'overpaidAmount', string | null> {
  const overBefore = above(payment.receivedAmount ?? '0', fromBaseUnits(due, decimals))
  const held = above(payment.overpaidAmount ?? '0', overBefore)
  const shown = (amount: string): string | null => (isPositive(amount) ? amount : null)
  return {
    receivedAmount: shown(fromBaseUnits(total, decimals)),
    overpaidAmount: shown(sum([fromBaseUnits(over, decimals), held])),
  }
}

const above = (amount: string, other: string): string => (compare(amount, other) > 0 ? subtract(amount, other) : '0')

function later(time: Date, now: Date): Date {
  return new Date(Math.max(time.getTime() + GRACE_MS, now.getTime()))
}
