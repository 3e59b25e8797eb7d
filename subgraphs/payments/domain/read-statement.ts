import { connectionOf, readPage, type Connection, type PageRequest } from '../../../kernel/connection.js'
import { validationError, type FieldFailure } from '../../../kernel/errors.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { Runtime } from '../model/runtime.js'
import type { StatementBalance, StatementLine, StatementPlace } from '../store/statements.js'
import type { Stores } from '../store/stores.js'

/** What reading a statement needs. */
export type ReadStatementDeps = Pick<Runtime, 'clock'> & Pick<Stores, 'statements'>

/** Which part of a tenant's statement is asked for; times are ISO 8601, and the end is not part of it. */
export interface ReadStatementInput extends PageRequest {
  from: string
  /** Now where left out. */
  to?: string | null
  receiver?: string | null
  orderCode?: string | null
  rail?: string | null
}

/** A page of a statement; what the tenant was owed before and after the whole time, whatever the filter. */
export interface Statement extends Connection<StatementLine> {
  from: string
  to: string
  openingBalances: StatementBalance[]
  closingBalances: StatementBalance[]
}

/**
 * A page of what a tenant is owed, line by line in the order of time. A cursor names a line, so that it stays good while
 * others are booked.
 * @throws validation_error on `first`, `after`, `to`
 */
export async function readStatement(
  { statements, clock }: ReadStatementDeps,
  tenant: Tenant,
  { from, to, receiver, orderCode, rail, ...request }: ReadStatementInput,
): Promise<Statement> {
  const [start, end] = [new Date(from), to == null ? clock.now() : new Date(to)]
  const failures: FieldFailure[] = end < start ? [{ field: 'to', message: 'must not be before from' }] : []
  if (failures.length > 0) throw validationError(failures)
  const { size, after } = readPage(request, readPlace)
  const filter = { from: start, to: end, receiver, orderCode, rail }
  // One more than asked for tells whether another page follows.
  const found = await statements.page(tenant.id, filter, { limit: size + 1, after })
  return {
    ...connectionOf(found, { size, hasPreviousPage: after !== undefined }, placeOf),
    from: start.toISOString(),
    to: end.toISOString(),
    openingBalances: await statements.balancesAt(tenant.id, start),
    closingBalances: await statements.balancesAt(tenant.id, end),
  }
}

function placeOf({ at, paymentId, entry, line }: StatementLine): string {
  return [at, paymentId, line, entry].join(' ')
}

function readPlace(text: string): StatementPlace | undefined {
  const [, at, paymentId, line, entry] =
    /^(\d{4}-\d{2}-\d{2}T[\d:.]+Z) (\S{1,100}) (\d{1,6}) (\S{1,300})$/.exec(text) ?? []
  if (at === undefined || paymentId === undefined || entry === undefined || Number.isNaN(Date.parse(at)))
    return undefined
  return { at, paymentId, entry, line: Number(line) }
}
