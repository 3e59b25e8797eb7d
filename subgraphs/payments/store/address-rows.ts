import type { PaymentAddress } from '../model/payment-address.js'

/** Of `payments.payment_address`. */
export const COLUMNS = `tenant_id as "tenantId", payment_id as "paymentId", chain_name as "chainName", address,
  split_version as "splitVersion", token, decimals, due::text as due, trim_scale(tolerance_percent)::text as "tolerancePercent",
  opened_block::text as "fromBlock", laid_before::text as "laidBefore", expires_at as "expiresAt", watch_until as "watchUntil", shared::text as shared,
  booked::text as booked, look_at as "lookAt"`

type Units = 'due' | 'fromBlock' | 'laidBefore' | 'shared' | 'booked'
type Times = 'expiresAt' | 'watchUntil' | 'lookAt'
/** A row as the database gives it. */
export type AddressRow = Omit<PaymentAddress, Units | Times> &
  Record<Units, string> &
  Record<'expiresAt' | 'watchUntil', string | Date> & { lookAt: string | Date | null } & Record<string, unknown>

/** The address that a row says. */
export function addressFromRow(found: AddressRow): PaymentAddress {
  const { due, fromBlock, laidBefore, shared, booked, expiresAt, watchUntil, lookAt, ...row } = found
  const blocks = { fromBlock: BigInt(fromBlock), laidBefore: BigInt(laidBefore) }
  const units = { ...blocks, due: BigInt(due), shared: BigInt(shared), booked: BigInt(booked) }
  const times = { expiresAt: new Date(expiresAt), watchUntil: new Date(watchUntil), lookAt: lookAt && new Date(lookAt) }
  return { ...row, ...units, ...times } as PaymentAddress
}
