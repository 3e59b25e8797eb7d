import type { PaymentAddress } from '../model/payment-address.js'

/** Of `payments.payment_address`. */
export const COLUMNS = `tenant_id as "tenantId", payment_id as "paymentId", chain_name as "chainName", address,
  split_version as "splitVersion", token, decimals, due::text as due, trim_scale(tolerance_percent)::text as "tolerancePercent",
  opened_block::text as "fromBlock", laid_before::text as "laidBefore", expires_at as "expiresAt", watch_until as "watchUntil",
  last_read_block::text as "lastReadBlock", look_back_at as "lookBackAt", shared::text as shared, booked::text as booked,
  look_at as "lookAt"`

type Units = 'due' | 'fromBlock' | 'laidBefore' | 'shared' | 'booked'
type Times = 'expiresAt' | 'watchUntil'
type TimesOrNone = 'lookBackAt' | 'lookAt'

/** A row as the database gives it. */
export type AddressRow = Omit<PaymentAddress, Units | Times | TimesOrNone | 'lastReadBlock'> &
  Record<Units, string> &
  Record<Times, string | Date> &
  Record<TimesOrNone, string | Date | null> & { lastReadBlock: string | null } & Record<string, unknown>

/** The address that a row says. */
export function addressFromRow(found: AddressRow): PaymentAddress {
  const { due, laidBefore, shared, booked, fromBlock, lastReadBlock, ...others } = found
  const { expiresAt, watchUntil, lookBackAt, lookAt, ...row } = others
  const units = { due: BigInt(due), laidBefore: BigInt(laidBefore), shared: BigInt(shared), booked: BigInt(booked) }
  const blocks = { fromBlock: BigInt(fromBlock), lastReadBlock: lastReadBlock === null ? null : BigInt(lastReadBlock) }
  const times = { expiresAt: new Date(expiresAt), watchUntil: new Date(watchUntil) }
  const timesOrNone = { lookBackAt: lookBackAt && new Date(lookBackAt), lookAt: lookAt && new Date(lookAt) }
  return { ...row, ...units, ...blocks, ...times, ...timesOrNone } as PaymentAddress
}
