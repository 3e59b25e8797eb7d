import { randomBytes } from 'node:crypto'

/** The participant's number (ISPB) that the simulator's payers have; no bank's. */
const ISPB = '99999004'

/** E, ISPB, minute in UTC (yyyyMMddHHmm), 11 characters of the payer's bank: 32 characters. */
export function newEndToEndId(at: Date): string {
  return `E${tail(at)}`
}

/** As `newEndToEndId`, with D: the id of a return. */
export function newReturnId(at: Date): string {
  return `D${tail(at)}`
}

function tail(at: Date): string {
  return ISPB + at.toISOString().replace(/\D/g, '').slice(0, 12) + randomBytes(6).toString('hex').slice(0, 11)
}
