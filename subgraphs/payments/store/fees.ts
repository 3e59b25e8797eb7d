import type { EntityManager } from '@mikro-orm/postgresql'
import { executeIn, inTransaction, type Database } from '../../../kernel/database.js'
import { NO_FEES, type FeeTerms } from '../model/fees.js'

const TERMS = `select trim_scale(percent)::text as percent, trim_scale(fixed)::text as fixed,
  trim_scale(spread_percent)::text as "spreadPercent" from payments.tenant_fee where tenant_id = ? and rail = ?`

const LIST = `select rail, trim_scale(percent)::text as percent, trim_scale(fixed)::text as fixed,
  trim_scale(spread_percent)::text as "spreadPercent" from payments.tenant_fee where tenant_id = ? order by rail`

const SET = `insert into payments.tenant_fee (tenant_id, rail, percent, fixed, spread_percent)
  values (?, ?, ?::numeric, ?::numeric, ?::numeric)
  on conflict (tenant_id, rail) do update set percent = excluded.percent, fixed = excluded.fixed,
    spread_percent = excluded.spread_percent`

const GAS_BEARERS = `select tenant_id as "tenantId" from payments.gas_recovery
  where tenant_id in (select json_array_elements_text(?::json))`

const RECOVER_GAS = `insert into payments.gas_recovery (tenant_id) values (?) on conflict do nothing`

/** What the platform takes of its tenants, as its operator has set it. */
export function feesStore(db: Database) {
  return {
    /** Those of a tenant on a rail; nothing where nothing was set. */
    terms: async (tenantId: string, rail: string): Promise<FeeTerms> => {
      const [row] = await inTransaction(db, (em) => executeIn<FeeTerms>(em, TERMS, [tenantId, rail]))
      return row ?? NO_FEES
    },
    list: (tenantId: string): Promise<(FeeTerms & { rail: string })[]> =>
      inTransaction(db, (em) => executeIn(em, LIST, [tenantId])),
    /** Counts for what is quoted from now on. @param terms within `FEE_BOUNDS`, with two decimals at most */
    set: (tenantId: string, rail: string, { percent, fixed, spreadPercent }: FeeTerms): Promise<void> =>
      inTransaction(db, async (em) => {
        await executeIn(em, SET, [tenantId, rail, percent, fixed, spreadPercent])
      }),
    /** Which of these tenants bear the gas of their payouts; for the others the platform does. */
    gasBearers: async (em: EntityManager, tenantIds: readonly string[]): Promise<ReadonlySet<string>> => {
      const rows = await executeIn<{ tenantId: string }>(em, GAS_BEARERS, [JSON.stringify(tenantIds)])
      return new Set(rows.map(({ tenantId }) => tenantId))
    },
    setGasRecovery: (tenantId: string, isRecovered: boolean): Promise<void> =>
      inTransaction(db, async (em) => {
        const statement = isRecovered ? RECOVER_GAS : 'delete from payments.gas_recovery where tenant_id = ?'
        await executeIn(em, statement, [tenantId])
      }),
  }
}
