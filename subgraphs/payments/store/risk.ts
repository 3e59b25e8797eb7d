import type { EntityManager } from '@mikro-orm/postgresql'
import { executeIn, inTransaction, type Database } from '../../../kernel/database.js'

/** What a tenant's payments in a currency may be; decimal strings, null where there is no limit. */
export interface PaymentLimits {
  perPayment: string | null
  /** In 24 hours, of one payer. */
  perPayerDay: string | null
  perTenantDay: string | null
}

/** What was begun in the last 24 hours besides the payment that is asked about; decimal strings. */
export interface LimitUse {
  byTenant: string
  byPayer: string
}

/** What may leave the treasury of a token on a chain; decimal strings, null where there is no cap. */
export interface TreasuryCap {
  perPayout: string | null
  perDay: string | null
}

const LIMITS = `select trim_scale(per_payment)::text as "perPayment", trim_scale(per_payer_day)::text as "perPayerDay",
  trim_scale(per_tenant_day)::text as "perTenantDay" from payments.tenant_limit where tenant_id = ? and currency = ?`

const LIST_LIMITS = `select currency, trim_scale(per_payment)::text as "perPayment",
    trim_scale(per_payer_day)::text as "perPayerDay", trim_scale(per_tenant_day)::text as "perTenantDay"
  from payments.tenant_limit where tenant_id = ? order by currency limit 200`

const SET_LIMITS = `insert into payments.tenant_limit (tenant_id, currency, per_payment, per_payer_day, per_tenant_day)
  values (?, ?, ?::numeric, ?::numeric, ?::numeric) on conflict (tenant_id, currency) do update
    set per_payment = excluded.per_payment, per_payer_day = excluded.per_payer_day, per_tenant_day = excluded.per_tenant_day`

/** Two attempts of a tenant are counted one after the other. */
const LOCK = `select pg_advisory_xact_lock(hashtextextended(?::text, 0))`

/**
 * A payment that has failed has used nothing, nor has one whose start came to nothing: it is registered still, or what it was before.
 * While one starts it counts, also where an attempt before has failed: since then it was counted again.
 */
const USED = `select trim_scale(coalesce(sum(amount), 0))::text as "byTenant",
    trim_scale(coalesce(sum(amount) filter (where payers && array(select json_array_elements_text(?::json))), 0))::text as "byPayer"
  from payments.limit_use as used join payments.payment as payment
    on payment.tenant_id = used.tenant_id and payment.id = used.payment_id
  where used.tenant_id = ? and used.currency = ? and used.used_at > ?::timestamptz and used.payment_id <> ?
    and (payment.status not in ('registered', 'error', 'reproved')
      or (used.used_at > ?::timestamptz and used.used_at >= payment.updated_at))`

/** Never before the payment's last change, which another process may have timed by a clock that is ahead. */
const USE = `insert into payments.limit_use (tenant_id, payment_id, currency, amount, payers, used_at)
  select tenant_id, id, ?::text, ?::numeric, array(select json_array_elements_text(?::json)), greatest(?::timestamptz, updated_at)
  from payments.payment where tenant_id = ? and id = ?
  on conflict (tenant_id, payment_id) do update set payers = excluded.payers, used_at = excluded.used_at`

const PAYERS = 'select payers from payments.limit_use where tenant_id = ? and payment_id = ?'

const CAP = `select trim_scale(per_payout)::text as "perPayout", trim_scale(per_day)::text as "perDay"
  from payments.treasury_cap where chain_name = ? and symbol = ?`

const LIST_CAPS = `select chain_name as "chainName", symbol, trim_scale(per_payout)::text as "perPayout",
  trim_scale(per_day)::text as "perDay" from payments.treasury_cap order by chain_name, symbol limit 1000`

const SET_CAP = `insert into payments.treasury_cap (chain_name, symbol, per_payout, per_day) values (?, ?, ?::numeric, ?::numeric)
  on conflict (chain_name, symbol) do update set per_payout = excluded.per_payout, per_day = excluded.per_day`

/** What the cap itself holds back is not about to leave. */
const PLANNED = `select trim_scale(coalesce(sum(amount::numeric), 0))::text as planned from payments.payout
  where chain_name = ? and symbol = ? and created_at > ?::timestamptz and state <> 'cancelled'
    and not (state = 'held' and hold_reason = 'treasury_cap')`

const DELAY = 'select minutes from payments.payout_delay where tenant_id = ? and rail = ?'

const LIST_DELAYS = 'select rail, minutes from payments.payout_delay where tenant_id = ? order by rail'

const SET_DELAY = `insert into payments.payout_delay (tenant_id, rail, minutes) values (?, ?, ?)
  on conflict (tenant_id, rail) do update set minutes = excluded.minutes`

const REFUSES_THIRD_PARTIES = 'select 1 from payments.third_party_refusal where tenant_id = ?'

const COMPARES_DOCUMENTS = 'select 1 from payments.payer_document_comparison where tenant_id = ?'

/** What an operator allows tenants and the treasury. Nothing is set by default, and then nothing binds. */
export function riskStore(db: Database) {
  const change: Change = (statement, values) =>
    inTransaction(db, async (em) => {
      await executeIn(em, statement, values)
    })
  return {
    limits: async (tenantId: string, currency: string): Promise<PaymentLimits | undefined> =>
      (await inTransaction(db, (em) => executeIn<PaymentLimits>(em, LIMITS, [tenantId, currency])))[0],
    listLimits: (tenantId: string): Promise<(PaymentLimits & { currency: string })[]> =>
      inTransaction(db, (em) => executeIn(em, LIST_LIMITS, [tenantId])),
    setLimits: (tenantId: string, currency: string, { perPayment, perPayerDay, perTenantDay }: PaymentLimits) =>
      change(SET_LIMITS, [tenantId, currency, perPayment, perPayerDay, perTenantDay]),
    /** The keyed hashes that a payment was counted with; none where it was not. */
    payersOf: async (tenantId: string, paymentId: string): Promise<readonly string[]> =>
      (await inTransaction(db, (em) => executeIn<{ payers: string[] }>(em, PAYERS, [tenantId, paymentId])))[0]
        ?.payers ?? [],
    /**
     * What counts against a tenant's limits besides a payment. Nobody else counts for the tenant before the transaction ends.
     * @param of.payers keyed hashes; a payment counts for a payer that shares one of them
     * @param times.since what was begun before counts no more
     * @param times.startingSince what was begun before has started by now, or was refused
     */
    lockUse: async (
      em: EntityManager,
      of: LimitedPayment,
      times: { since: Date; startingSince: Date },
    ): Promise<LimitUse> => {
      await executeIn(em, LOCK, [`limits:${of.tenantId}`])
      const [since, startingSince] = [times.since.toISOString(), times.startingSince.toISOString()]
      const values = [JSON.stringify(of.payers), of.tenantId, of.currency, since, of.paymentId, startingSince]
      const [row] = await executeIn<LimitUse>(em, USED, values)
      return row ?? { byTenant: '0', byPayer: '0' }
    },
    /** Counts a payment, once however often it is begun. */
    use,
    /** How long receivers wait after a payer has paid, in minutes. */
    delayMinutes: async (em: EntityManager, tenantId: string, rail: string): Promise<number> =>
      (await executeIn<{ minutes: number }>(em, DELAY, [tenantId, rail]))[0]?.minutes ?? 0,
    listDelays: (tenantId: string): Promise<{ rail: string; minutes: number }[]> =>
      inTransaction(db, (em) => executeIn(em, LIST_DELAYS, [tenantId])),
    setDelay: (tenantId: string, rail: string, minutes: number): Promise<void> =>
      minutes > 0
        ? change(SET_DELAY, [tenantId, rail, minutes])
        : change('delete from payments.payout_delay where tenant_id = ? and rail = ?', [tenantId, rail]),
    ...tenantSwitches(db, change),
    /** What binds of all tokens. */
    listCaps: (): Promise<(TreasuryCap & { chainName: string; symbol: string })[]> =>
      inTransaction(db, (em) => executeIn(em, LIST_CAPS, [])),
    /** The cap of a token, with what is planned since; locked for who plans more, where there is one. */
    lockCap: async (
      em: EntityManager,
      { chainName, symbol }: { chainName: string; symbol: string },
      since: Date,
    ): Promise<(TreasuryCap & { planned: string }) | undefined> => {
      const [cap] = await executeIn<TreasuryCap>(em, CAP, [chainName, symbol])
      if (!cap) return undefined
      await executeIn(em, LOCK, [`treasury-cap:${chainName}:${symbol}`])
      const [row] = await executeIn<{ planned: string }>(em, PLANNED, [chainName, symbol, since.toISOString()])
      return { ...cap, planned: row?.planned ?? '0' }
    },
    setCap: (chainName: string, symbol: string, { perPayout, perDay }: TreasuryCap): Promise<void> =>
      change(SET_CAP, [chainName, symbol, perPayout, perDay]),
  }
}

async function use(em: EntityManager, of: LimitedPayment, at: Date): Promise<void> {
  const { tenantId, paymentId, currency, amount, payers } = of
  await executeIn(em, USE, [currency, amount, JSON.stringify(payers), at.toISOString(), tenantId, paymentId])
}

type Change = (statement: string, values: unknown[]) => Promise<void>

/** What is on or off for a tenant. */
function tenantSwitches(db: Database, change: Change) {
  return {
    /** Whether a tenant takes no Pix from another person's account than the payer's. */
    refusesThirdParties: async (em: EntityManager, tenantId: string): Promise<boolean> =>
      (await executeIn(em, REFUSES_THIRD_PARTIES, [tenantId])).length > 0,
    setThirdParties: (tenantId: string, areTaken: boolean): Promise<void> =>
      areTaken
        ? change('delete from payments.third_party_refusal where tenant_id = ?', [tenantId])
        : change('insert into payments.third_party_refusal (tenant_id) values (?) on conflict do nothing', [tenantId]),
    /** Whether a tenant wants payers' tax ids compared with the documents of verified people. */
    comparesPayerDocuments: async (tenantId: string): Promise<boolean> =>
      (await inTransaction(db, (em) => executeIn(em, COMPARES_DOCUMENTS, [tenantId]))).length > 0,
    setPayerDocuments: (tenantId: string, areCompared: boolean): Promise<void> =>
      areCompared
        ? change('insert into payments.payer_document_comparison (tenant_id) values (?) on conflict do nothing', [
            tenantId,
          ])
        : change('delete from payments.payer_document_comparison where tenant_id = ?', [tenantId]),
  }
}

/** A payment that counts against limits. */
export interface LimitedPayment {
  tenantId: string
  paymentId: string
  currency: string
  amount: string
  payers: readonly string[]
}
