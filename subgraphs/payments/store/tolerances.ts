import { executeIn, inTransaction, run, type Database } from '../../../kernel/database.js'

const TOLERANCE = {
  name: 'underpayment_tolerance_find',
  text: `select trim_scale(percent)::text as percent from payments.underpayment_tolerance where tenant_id = $1`,
}

const SET_TOLERANCE = `insert into payments.underpayment_tolerance (tenant_id, percent) values (?, ?::numeric)
  on conflict (tenant_id) do update set percent = excluded.percent`

/** What tenants take for the whole. */
export function tolerances(db: Database) {
  const { pool } = db
  return {
    /** How much less than the price a tenant takes for the whole, in percent; '0' where it says nothing. */
    tolerance: async (tenantId: string): Promise<string> =>
      (await run<{ percent: string }>(pool, TOLERANCE, [tenantId]))[0]?.percent ?? '0',
    /** @param percent 0 to 10, with two decimals at most */
    setTolerance: (tenantId: string, percent: string): Promise<void> =>
      inTransaction(db, async (em) => {
        if (Number(percent) > 0) await executeIn(em, SET_TOLERANCE, [tenantId, percent])
        else await executeIn(em, 'delete from payments.underpayment_tolerance where tenant_id = ?', [tenantId])
      }),
  }
}
