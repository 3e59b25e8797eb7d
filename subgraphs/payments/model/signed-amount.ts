import { fromBaseUnits, toBaseUnits } from '../../../kernel/money.js'

/** More than any coin has. */
const DECIMALS = 18

/** A decimal string, below 0 with a sign, in units of 10⁻¹⁸: exact, so that it can be added up. */
export function unitsOf(amount: string): bigint {
  return amount.startsWith('-') ? -toBaseUnits(amount.slice(1), DECIMALS) : toBaseUnits(amount, DECIMALS)
}

/** The decimal string of such units, below 0 with a sign. */
export function amountOf(units: bigint): string {
  return units < 0n ? `-${fromBaseUnits(-units, DECIMALS)}` : fromBaseUnits(units, DECIMALS)
}
