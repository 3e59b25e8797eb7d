import { neededOption, readOptions, UsageError } from '../../../kernel/command-line.js'
import type { Database } from '../../../kernel/database.js'
import { compare, isAmount } from '../../../kernel/money.js'
import { FEE_BOUNDS, type FeeTerms } from '../model/fees.js'
import { RAILS } from '../rails/registry.js'
import { feesStore } from '../store/fees.js'

const TEXT = { type: 'string' } as const
const ZERO = { type: 'string', default: '0' } as const

/** Shows what the platform takes of a tenant's payments, and sets it where a rail is named. @throws UsageError */
export async function fees(db: Database, args: readonly string[]): Promise<object> {
  const options = { tenant: TEXT, rail: TEXT, percent: ZERO, fixed: ZERO, spread: ZERO }
  const values = readOptions(args, options)
  const tenantId = neededOption(values, 'tenant')
  const store = feesStore(db)
  if (values['rail'] !== undefined) {
    const terms: FeeTerms = {
      percent: boundedOption(values['percent'], 'percent', FEE_BOUNDS.percent),
      fixed: boundedOption(values['fixed'], 'fixed', FEE_BOUNDS.fixed),
      spreadPercent: boundedOption(values['spread'], 'spread', FEE_BOUNDS.spreadPercent),
    }
    await store.set(tenantId, readChargeRail(values['rail']), terms)
  }
  return { tenantId, fees: await store.list(tenantId) }
}

/** Has a tenant bear the gas of its payouts from now on, or the platform. @throws UsageError */
export async function gas(db: Database, args: readonly string[]): Promise<object> {
  const values = readOptions(args, { tenant: TEXT, by: TEXT })
  const [tenantId, by] = [neededOption(values, 'tenant'), neededOption(values, 'by')]
  if (by !== 'tenant' && by !== 'platform') throw new UsageError('--by is tenant or platform.')
  await feesStore(db).setGasRecovery(tenantId, by === 'tenant')
  return { tenantId, gasBorneBy: by }
}

/** A rail that charges: wallets pay receivers directly. Throws UsageError. */
export function readChargeRail(value: string | boolean): string {
  const rails = RAILS.map(({ name }) => name).filter((name) => name !== 'crypto')
  const rail = rails.find((name) => name === value)
  if (!rail) throw new UsageError(`--rail is one of ${rails.join(', ')}.`)
  return rail
}

/** Throws UsageError where it is no decimal from 0 to the bound, with two decimals at most. */
function boundedOption(value: string | boolean | undefined, name: string, bound: string): string {
  const isGiven = isAmount(value) && /^\d+(\.\d{1,2})?$/.test(value) && compare(value, bound) <= 0
  if (!isGiven) throw new UsageError(`--${name} has to be from 0 to ${bound}, with two decimals at most.`)
  return value
}
