import type { Clock } from '../../../kernel/clock.js'
import { run, type Database } from '../../../kernel/database.js'
import type { Logger } from '../../../kernel/log.js'

/** What a person who runs the deployment has to know of. */
export type AlertKind =
  /** The treasury cannot pay what it owes. */
  | 'treasury_shortage'
  /** A transaction of the treasury landed and moved nothing, or would. */
  | 'payout_failed'
  /** A transaction of the treasury does not get into a block. */
  | 'payout_stuck'
  /**
   * Receivers are not paid until an operator decides: a part of the payer's money was taken back by force, or nobody can
   * prove whether a transaction has paid them.
   */
  | 'payout_held'
  /** Payouts wait because their receivers' wallets cannot be screened. */
  | 'screening_failed'
  /** A transaction of the gas payer is refused, or does not get into a block. */
  | 'operator_stuck'
  /** A split cannot be shared out as it is. */
  | 'split_failed'
  /** The provider took a payer's money back by force. */
  | 'forced_return'
  /** A transaction that was dropped was mined after all, and the payment, or the receiver, has been paid by another. */
  | 'paid_twice'
  /** A payment was told that it is paid, and its transaction is no longer on the chain and can never land again. */
  | 'payment_undone'
  /** A router says that it has paid, and the destination's chain does not show it. */
  | 'route_unproved'
  /** The provider does not give money back that we owe a payer. */
  | 'return_refused'
  /** A price moved further than the deployment allows: nobody pays by it until it is confirmed, or an operator accepts it. */
  | 'price_moved'

/** What is to be told, and what it is about, e.g. a chain or a payment. */
export interface Alert {
  kind: AlertKind
  subject: string
  details?: string
}

/** An alert as it stands. */
export interface RaisedAlert {
  kind: AlertKind
  subject: string
  count: number
  details: string | null
  firstAt: string
  lastAt: string
}

/** Repetitions within this time count once. */
const QUIET_MS = 10_000

const RAISE = {
  name: 'operator_alert_raise',
  text: `insert into payments.operator_alert as alert (kind, subject, count, details, first_at, last_at)
    values ($1, $2, 1, $3, $4::timestamptz, $4::timestamptz)
    on conflict (kind, subject) do update
      set count = alert.count + 1, details = excluded.details, last_at = excluded.last_at
      where alert.last_at < $5::timestamptz
    returning count`,
}

const LIST = {
  name: 'operator_alert_list',
  text: `select kind, subject, count, details, first_at as "firstAt", last_at as "lastAt"
    from payments.operator_alert order by last_at desc`,
}

/** Counts and logs what needs an operator. */
export type AlertsStore = ReturnType<typeof alertsStore>

/**
 * Alerts as rows, one for each kind and subject, and as errors in the log. One that is raised again within ten seconds is
 * neither counted nor logged.
 */
export function alertsStore(db: Database, clock: Clock, log: Logger) {
  return {
    raise: async ({ kind, subject, details }: Alert): Promise<void> => {
      const now = clock.now()
      const before = new Date(now.getTime() - QUIET_MS).toISOString()
      const values = [kind, subject, details ?? null, now.toISOString(), before]
      const [row] = await run<{ count: number }>(db.pool, RAISE, values)
      if (!row) return
      log.error({ alert: kind, subject, details, count: row.count }, 'an operator is needed')
    },
    list: (): Promise<RaisedAlert[]> => run<RaisedAlert & Record<string, unknown>>(db.pool, LIST, []),
  }
}
