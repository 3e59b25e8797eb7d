import { neededOption, readOptions, UsageError } from '../../../kernel/command-line.js'
import type { Database } from '../../../kernel/database.js'
import { setFees } from '../domain/operators/tenant-terms.js'
import { feesStore } from '../store/fees.js'
import { usageOf } from './usage-of.js'

const TEXT = { type: 'string' } as const

/** Shows what the platform takes of a tenant's payments, and sets it where a rail is named: what is left out stays. @throws UsageError */
export async function fees(db: Database, args: readonly string[]): Promise<object> {
  const options = { tenant: TEXT, rail: TEXT, percent: TEXT, fixed: TEXT, spread: TEXT }
  const values = readOptions(args, options)
  const tenantId = neededOption(values, 'tenant')
  const store = feesStore(db)
  if (values['rail'] !== undefined) {
    const rail = neededOption(values, 'rail')
    const before = await store.terms(tenantId, rail)
    const given = (name: string, asBefore: string): string => String(values[name] ?? asBefore)
    const terms = {
      percent: given('percent', before.percent),
      fixed: given('fixed', before.fixed),
      spreadPercent: given('spread', before.spreadPercent),
    }
    await usageOf(setFees({ fees: store }, { tenantId, rail, ...terms }), { spreadPercent: 'spread' })
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
