import { LockMode, wrap, type EntityManager } from '@mikro-orm/postgresql'
import type { Clock } from '../../../kernel/clock.js'
import { executeIn, type Database } from '../../../kernel/database.js'
import { AppError } from '../../../kernel/errors.js'
import { firstAnswer, transactionOnce } from '../../../kernel/idempotency.js'
import { isId, type IdSource } from '../../../kernel/ids.js'
import { addJob } from '../../../kernel/jobs.js'
import type { Tenant } from '../../../kernel/tenant.js'
import { changesBetween, type Change } from './changes.js'
import type { orderReads } from './order-reads.js'
import {
  OrderEntity,
  OrderEventEntity,
  type Order,
  type OrderChange,
  type OrderSnapshot,
  type OrderTerms,
} from './order.entity.js'

/** The job that tells the tenant of an event; added with the event, worked off by the deliveries. */
const PUBLISH_EVENT = 'publish-event'

/**
 * Takes the tenant's next number. The row stays locked until the transaction ends, so racing creates queue here and each
 * sees what the one before left; no row comes back at the limit.
 */
const TAKE_NUMBER = `insert into orders.order_count as taken (tenant_id, orders, last_number) values (?, 1, 1)
  on conflict (tenant_id) do update set orders = taken.orders + 1, last_number = taken.last_number + 1
    where taken.orders < 20
  returning last_number as number`

/** A deleted order makes room for another one, under a number of its own. */
const MAKE_ROOM = 'update orders.order_count set orders = orders - 1 where tenant_id = ?'

/** What an idempotency key answers with: an order as it was after one of its events. */
interface OrderVersion {
  orderId: string
  sequence: number
}

/** What the writes are given. */
interface WriteDeps {
  db: Database
  clock: Clock
  newId: IdSource
  findAt: ReturnType<typeof orderReads>['findAt']
}

/** Writes of orders, each with its event and the job that publishes it, once per idempotency key. */
export function orderWrites({ db, clock, newId, findAt }: WriteDeps) {
  return {
    /** What the request's idempotency key answered before; undefined where it is new. Throws `idempotency_key_reused`. */
    async firstAnswer(tenant: Tenant): Promise<Order | undefined> {
      const first = await firstAnswer<OrderVersion>(db.pool, tenant, clock)
      return first && versionOf(findAt, tenant, first)
    },

    /** Stores an active order, once per idempotency key. Throws `order_limit_reached` for the 21st. */
    create(tenant: Tenant, terms: OrderTerms): Promise<Order> {
      return once(tenant, async (em) => {
        const number = await takeNumber(em, tenant)
        await tenant.assertMayStill?.()
        const now = clock.now()
        const order: Order = {
          ...terms,
          tenantId: tenant.id,
          id: newId(),
          number,
          sequence: 1,
          active: true,
          deleted: false,
          paymentSessionLink: '',
          createdAt: now,
          updatedAt: now,
        }
        em.create(OrderEntity, order, { persist: true })
        await record(em, clock, { order })
        return order
      })
    },

    /**
     * Decides and changes under the order's row lock, once per idempotency key; a key that was used before answers the order as
     * that request left it.
     * @param decide gets the locked order and returns the change, or nothing where it is as it should be; may throw, and then
     *   nothing is stored
     * @throws order_not_found, idempotency_key_reused
     */
    async change(tenant: Tenant, id: string, decide: (order: Order) => OrderChange | undefined): Promise<Order> {
      assertId(id)
      return once(tenant, (em) => changeIn({ clock, em }, tenant, id, decide))
    },

    /**
     * Deletes an order and makes room for another: it is in no list, pays nothing more and does not count. Its payments still
     * show what they came from.
     * @returns the order as it was left, also where the idempotency key was used before
     * @throws order_not_found, also for one that is deleted already; idempotency_key_reused
     */
    async remove(tenant: Tenant, id: string): Promise<Order> {
      assertId(id)
      return once(tenant, async (em) => {
        const order = await changeIn({ clock, em }, tenant, id, () => ({ active: false, deleted: true }))
        await executeIn(em, MAKE_ROOM, [tenant.id])
        return order
      })
    },
  }

  /** One transaction per idempotency key; a key that was used before answers the order as that request left it. */
  async function once(tenant: Tenant, work: (em: EntityManager) => Promise<Order>): Promise<Order> {
    let stored: Order | undefined
    const { answer, replayed } = await transactionOnce<OrderVersion>({ db, clock }, tenant, async (em) => {
      stored = await work(em)
      return { orderId: stored.id, sequence: stored.sequence }
    })
    return stored && !replayed ? stored : versionOf(findAt, tenant, answer)
  }
}

async function takeNumber(em: EntityManager, { id }: Tenant): Promise<number> {
  const [taken] = await executeIn<{ number: number }>(em, TAKE_NUMBER, [id])
  if (!taken) throw new AppError('order_limit_reached')
  return taken.number
}

async function versionOf(findAt: WriteDeps['findAt'], tenant: Tenant, version: OrderVersion): Promise<Order> {
  const order = await findAt(tenant.id, version.orderId, version.sequence)
  if (!order) throw new Error('an idempotency key names an order that does not exist')
  return order
}

function assertId(id: string): void {
  if (!isId(id)) throw new AppError('order_not_found')
}

/** Decides and changes under the order's row lock. */
async function changeIn(
  { clock, em }: { clock: Clock; em: EntityManager },
  tenant: Tenant,
  id: string,
  decide: (order: Order) => OrderChange | undefined,
): Promise<Order> {
  const key = { tenantId: tenant.id, id, deleted: false }
  const row = await em.findOne(OrderEntity, key, { lockMode: LockMode.PESSIMISTIC_WRITE })
  if (!row) throw new AppError('order_not_found')
  await tenant.assertMayStill?.()
  const before = wrap(row).toObject() as Order
  const change = decide(before)
  if (!change) return before
  const order = { ...before, ...change, sequence: before.sequence + 1, updatedAt: clock.now() }
  em.assign(row, order)
  await record(em, clock, { order, before })
  return order
}

/** An order after an event, and before it where that is not its first. */
interface OrderStep {
  order: Order
  before?: Order
}

/** Appends the event that led to `order`, and the job that tells the tenant. Under the order's row lock, but for a new one. */
async function record(em: EntityManager, clock: Clock, step: OrderStep): Promise<void> {
  const { tenantId, id, sequence, updatedAt } = step.order
  const type = sequence === 1 ? 'order.created' : 'order.updated'
  const content = await contentOf(em, step)
  em.create(
    OrderEventEntity,
    { tenantId, orderId: id, sequence, type, ...content, createdAt: updatedAt },
    { persist: true },
  )
  const payload = { tenantId, source: 'orders', resourceId: id, sequence }
  await addJob(em, clock, { name: PUBLISH_EVENT, payload })
}

/**
 * An order has up to 64 KiB, and its tenant changes it as often as it likes: were each event to keep all of it, a hundred bytes that
 * are sent would be 64 KiB that are kept for good. So an event keeps what it has changed, and the whole order where what it was after
 * this one would be read from more than so many events, or from more than twice its length: updates can replace most of it each time.
 */
const WHOLE_EVERY = 64

/** How many bytes the order is read from after its newest event: the newest that holds it whole, as the first does, and those behind. */
const READ_FROM = `select sum(octet_length(coalesce(snapshot, changes)::text))::int as bytes from orders.order_event
  where tenant_id = ? and order_id = ? and sequence >= (select sequence from orders.order_event
    where tenant_id = ? and order_id = ? and snapshot is not null order by sequence desc limit 1)`

async function contentOf(
  em: EntityManager,
  { order, before }: OrderStep,
): Promise<{ snapshot: OrderSnapshot | null; changes: Change[] | null }> {
  const snapshot = toSnapshot(order)
  const whole = { snapshot, changes: null }
  if (!before || order.sequence % WHOLE_EVERY === 1) return whole
  const changes = changesBetween(toSnapshot(before), snapshot)
  const [length, added] = [bytesOf(snapshot), bytesOf(changes)]
  if (added >= length) return whole
  return (await bytesReadFrom(em, order)) + added > 2 * length ? whole : { snapshot: null, changes }
}

async function bytesReadFrom(em: EntityManager, { tenantId, id }: Order): Promise<number> {
  const [row] = await executeIn<{ bytes: number }>(em, READ_FROM, [tenantId, id, tenantId, id])
  return row?.bytes ?? 0
}

function bytesOf(value: object): number {
  return Buffer.byteLength(JSON.stringify(value))
}

function toSnapshot(order: Order): OrderSnapshot {
  return { ...order, createdAt: order.createdAt.toISOString(), updatedAt: order.updatedAt.toISOString() }
}
