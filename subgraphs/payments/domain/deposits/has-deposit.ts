import { AppError } from '../../../../kernel/errors.js'
import type { Deposit, PaymentAddress } from '../../model/payment-address.js'
import type { AddressReads } from '../../rails/on-chain.js'
import type { Payment } from '../../store/payment.entity.js'
import type { Stores } from '../../store/stores.js'

export const MONEY_CAME = 'Money has come to the address of the payment and waits for its confirmations.'

/** What asking for a deposit that was not counted needs. */
export type HasUncountedDepositDeps = Pick<AddressReads, 'readDeposited'> & Pick<Stores, 'addresses'>

/**
 * Whether more is at a watched address of a payment, confirmed or not, than was counted: it was sent at the price that it was
 * asked for at, and is judged by that, however the payer is asked to pay since then. Of a payment that was paid it says nothing: its
 * receivers have what came. All addresses are asked at once.
 * @param next.isByAddress whether the payer goes on at an address: what was put off counts there as soon as it is opened
 * @throws confirm_rpc_unavailable where a chain cannot be asked
 */
export async function readUncountedDeposit(
  { addresses, readDeposited }: HasUncountedDepositDeps,
  payment: Payment,
  next = { isByAddress: false },
): Promise<boolean> {
  // No address was opened yet, and most attempts are a payment's first.
  if (payment.status === 'registered') return false
  const [all = []] = await addresses.ofPayments(payment.tenantId, [payment.id])
  // What comes after the watch is never counted, and would stand in the way for ever.
  const watched = all.filter(isWatched)
  const found = await Promise.all(
    watched.map(async (address) => {
      const deposited = await readDeposited(address)
      // Read after the chain: what is counted in between is not taken for missing.
      const loaded = await addresses.read(address)
      const isPutOff = loaded !== undefined && !next.isByAddress && hasPutOff(loaded.address, payment)
      return deposited - address.laidBefore > countedOf(loaded?.deposits ?? [], isPutOff)
    }),
  )
  return found.includes(true)
}

/** As `readUncountedDeposit`, for doors that every route has. @throws provider_unavailable where a chain cannot be asked */
export async function hasUncountedDeposit(...asked: Parameters<typeof readUncountedDeposit>): Promise<boolean> {
  return readUncountedDeposit(...asked).catch(unavailable)
}

/** @throws payment_already_processed where `hasUncountedDeposit`, which see */
export async function assertNothingCame(
  deps: HasUncountedDepositDeps,
  payment: Payment,
  next?: { isByAddress: boolean },
): Promise<void> {
  if (!(await hasUncountedDeposit(deps, payment, next))) return
  throw new AppError('payment_already_processed', { message: MONEY_CAME })
}

/** Whether more has come to a watched address, confirmed or not, than was found there. @throws confirm_rpc_unavailable */
export async function hasUnfoundDeposit(
  { addresses, readDeposited }: HasUncountedDepositDeps,
  address: PaymentAddress,
): Promise<boolean> {
  if (!isWatched(address)) return false
  const deposited = await readDeposited(address)
  const loaded = await addresses.read(address)
  return deposited - address.laidBefore > sumOf(loaded?.deposits ?? [])
}

/** Whether what comes to an address, or came in time, is still to be read. */
function isWatched({ lastReadBlock }: PaymentAddress): boolean {
  return lastReadBlock === null
}

/** How much of what has come its payment was moved on by, or is never moved on by, in base units. */
function countedOf(deposits: readonly Deposit[], isPutOff: boolean): bigint {
  const counted = deposits.filter(({ isApplied, verdict }) => isApplied && (verdict === 'refused' || !isPutOff))
  return sumOf(counted)
}

function sumOf(deposits: readonly Deposit[]): bigint {
  return deposits.reduce((total, { amount }) => total + amount, 0n)
}

/** Whether what came was looked at while another attempt was waited for: it is looked at again, and the payment shows none of it. */
function hasPutOff({ lookAt }: PaymentAddress, { receivedAmount }: Payment): boolean {
  return lookAt !== null && !receivedAmount
}

function unavailable(error: unknown): never {
  if (!(error instanceof AppError) || error.code !== 'confirm_rpc_unavailable') throw error
  const { details } = error
  throw new AppError('provider_unavailable', details === undefined ? {} : { details })
}
