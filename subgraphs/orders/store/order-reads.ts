import { setImmediate } from 'node:timers/promises'
import type { QueryResultRow } from 'pg'
import { batcher } from '../../../kernel/batcher.js'
import { run, type Database } from '../../../kernel/database.js'
import { makeChanges, type Change } from './changes.js'
import { ORDER_COLUMNS, type Order, type OrderSnapshot } from './order.entity.js'

const FIND_MANY = {
  name: 'order_find_many',
  text: `select found.* from unnest($1::text[], $2::text[]) with ordinality as asked (tenant, wanted, place)
    left join lateral (select ${ORDER_COLUMNS} from orders.payment_order where tenant_id = tenant and id = wanted limit 1) as found
      on true
    order by place`,
}

const LISTED = 'from orders.payment_order where tenant_id = $1 and not deleted'

export const LIST = { name: 'order_list', text: `select ${ORDER_COLUMNS} ${LISTED} order by number desc` }

export const LIST_KINDS = {
  name: 'order_list_kinds',
  text: `select gateway_method as "gatewayMethod", on_ramp as "onRamp", active ${LISTED}`,
}

/**
 * The events that an order is known by at each moment: the newest that holds it whole, and those behind it up to that moment.
 * By the time only where no sequence is known. Clocks differ: what was registered before its order was created is as that was.
 */
const FIND_THEN = {
  name: 'order_find_then',
  text: `select history.events
    from unnest($2::text[], $3::int[], $4::timestamptz[]) with ordinality as asked (id, known, at, place)
    cross join lateral (select coalesce(known, (select max(sequence) from orders.order_event
      where tenant_id = $1 and order_id = asked.id and created_at <= asked.at), 1) as sequence) as wanted
    left join lateral (
      select json_agg(coalesce(snapshot, changes) order by sequence) as events from orders.order_event
      where tenant_id = $1 and order_id = asked.id and sequence <= wanted.sequence
        and sequence >= (select sequence from orders.order_event where tenant_id = $1 and order_id = asked.id
          and sequence <= wanted.sequence and snapshot is not null order by sequence desc limit 1)
      having max(sequence) = wanted.sequence) as history on true
    order by place`,
}

type HistoryRow = { events: [OrderSnapshot, ...Change[][]] | null } & QueryResultRow

/** An order after one of its events, or where that is not known at a time, in ISO 8601. */
export interface OrderMoment {
  id: string
  sequence: number | null
  at: string | null
}

/** Which orders to list; null is any. */
export interface OrderFilter {
  gatewayMethod?: 'direct' | 'subs' | null
  onRamp?: boolean | null
  active?: boolean | null
}

/** Reads of orders and their history. Every read names the tenant first: another's row does not exist. */
export function orderReads({ pool }: Database) {
  const find = finder(pool)
  const listAll = lister(pool)
  return {
    /** The orders in the order of `ids`, deleted ones too; undefined where the tenant has none. */
    findMany: (tenantId: string, ids: readonly string[]): Promise<(Order | undefined)[]> => find({ tenantId, ids }),

    /** All orders that pass the filter, newest first; a tenant has at most 20 that are not deleted, so pages are cut from this. */
    async list(tenantId: string, filter: OrderFilter): Promise<Order[]> {
      return (await listAll(tenantId)).filter(passing(filter))
    },

    /** How many orders pass the filter, without reading what stands in them. */
    async count(tenantId: string, filter: OrderFilter): Promise<number> {
      return (await run<KindRow>(pool, LIST_KINDS, [tenantId])).filter(passing(filter)).length
    },

    /** The order as it was after event `sequence`. */
    async findAt(tenantId: string, id: string, sequence: number): Promise<Order | undefined> {
      return (await findThen(tenantId, [{ id, sequence, at: null }]))[0]
    },

    /** The orders as they were at those moments, in their order; undefined where the tenant has none. */
    findThen,
  }

  async function findThen(tenantId: string, moments: readonly OrderMoment[]): Promise<(Order | undefined)[]> {
    const [ids, sequences] = [moments.map(({ id }) => id), moments.map(({ sequence }) => sequence)]
    const rows = await run<HistoryRow>(pool, FIND_THEN, [tenantId, ids, sequences, moments.map(({ at }) => at)])
    return rows.map(({ events }) => (events ? fromEvents(events) : undefined))
  }
}

/** Lists a tenant's orders, newest first. Calls at the same time, as by a document's aliases, share one read, which begins after them. */
function lister(pool: Database['pool']): (tenantId: string) => Promise<Order[]> {
  const waiting = new Map<string, Promise<Order[]>>()
  async function read(tenantId: string): Promise<Order[]> {
    await setImmediate()
    waiting.delete(tenantId)
    return (await run<SnapshotRow>(pool, LIST, [tenantId])).map(fromSnapshot)
  }
  return (tenantId) => {
    const orders = waiting.get(tenantId) ?? read(tenantId)
    waiting.set(tenantId, orders)
    return orders
  }
}

/** What a filter looks at. */
type KindRow = Pick<Order, 'gatewayMethod' | 'onRamp' | 'active'> & QueryResultRow

function passing(filter: OrderFilter) {
  const fields = (['gatewayMethod', 'onRamp', 'active'] as const).filter((field) => filter[field] != null)
  return (order: Pick<Order, 'gatewayMethod' | 'onRamp' | 'active'>): boolean =>
    fields.every((field) => order[field] === filter[field])
}

type Lookup = { tenantId: string; ids: readonly string[] }

/** Finds orders that requests look up at the same time together, and each of them once. */
function finder(pool: Database['pool']): (lookup: Lookup) => Promise<(Order | undefined)[]> {
  return batcher(async (lookups) => {
    const places = new Map<string, number>()
    const [tenants, wanted]: [string[], string[]] = [[], []]
    const placeOf = (tenantId: string, id: string): number => {
      const key = `${tenantId} ${id}`
      const known = places.get(key)
      if (known !== undefined) return known
      const place = tenants.push(tenantId) - 1
      wanted.push(id)
      places.set(key, place)
      return place
    }
    const asked = lookups.map(({ tenantId, ids }) => ids.map((id) => placeOf(tenantId, id)))
    const rows = await run<SnapshotRow | MissingRow>(pool, FIND_MANY, [tenants, wanted])
    const orders = rows.map((row) => (row.id === null ? undefined : fromSnapshot(row)))
    return asked.map((places) => places.map((place) => orders[place]))
  })
}

type SnapshotRow = OrderSnapshot & QueryResultRow

/** In place of an order that the tenant does not have. */
type MissingRow = { id: null } & QueryResultRow

function fromEvents([whole, ...events]: [OrderSnapshot, ...Change[][]]): Order {
  return fromSnapshot(makeChanges(whole, events.flat()))
}

function fromSnapshot(row: OrderSnapshot): Order {
  return { ...row, createdAt: new Date(row.createdAt), updatedAt: new Date(row.updatedAt) }
}
