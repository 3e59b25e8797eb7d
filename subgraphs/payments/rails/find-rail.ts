import type { TransactionType } from '../model/transaction-type.js'
import type { ChargeRail, Rail } from './rail.js'

/** The rails that the deployment uses. */
export interface Rails {
  rails: readonly Rail[]
}

/** The rail that made a charge; undefined where the deployment does not use it any more. */
export function chargeRailOf({ rails }: Rails, name: string): ChargeRail | undefined {
  return rails.find((rail): rail is ChargeRail => rail.kind === 'charge' && rail.name === name)
}

/** The rail that serves a transaction type; undefined where the deployment has none for it, or no type is given. */
export function railOfType({ rails }: Rails, type: TransactionType | null | undefined): Rail | undefined {
  return type ? rails.find(({ types }) => types[type] !== undefined) : undefined
}
