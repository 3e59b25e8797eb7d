import type { Clock } from '../../../kernel/clock.js'
import { run, runIn, type Database, type Transaction } from '../../../kernel/database.js'
import type { Logger } from '../../../kernel/log.js'
import { CLOSE_GONE } from './alert-causes.js'

/** What a person who runs the deployment has to know of. */
export const ALERT_KINDS = {
  treasury_shortage: 'The treasury cannot pay what it owes.',
  payout_failed: 'A transaction of the treasury landed and moved nothing, or would.',
  payout_stuck: 'A transaction of the treasury does not get into a block.',
  payout_unexpected:
    "What became of a transaction of the treasury cannot be explained: it waits for an operator's decision.",
  payout_held:
    "Receivers are not paid until an operator decides: a part of the payer's money was taken back by force, or nobody can prove whether a transaction has paid them.",
  screening_failed: "Payouts wait because their receivers' wallets cannot be screened.",
  operator_stuck: 'A transaction of the gas payer is refused, or does not get into a block.',
  split_failed: 'A split cannot be shared out as it is.',
  forced_return: "The provider took a payer's money back by force.",
  chargeback_won: 'What was taken back by force has come again: an operator decides about payouts that were stopped.',
  paid_twice:
    'A transaction that was dropped was mined after all, and the payment, or the receiver, has been paid by another.',
  deposit_unexpected:
    "Something came to a payment's address that does not pay it: another token, or money for a payment that takes none.",
  deposit_refused:
    "A wallet that is refused, or for a receiver that is, has sent something to a payment's address: nothing is shared out.",
  deposits_unread:
    "What comes to payments' addresses on a chain has not been seen for long: its blocks cannot be read, or not as fast as they come.",
  payment_undone:
    'A payment was told that it is paid, and its transaction is no longer on the chain: it can never land again, or no node takes it.',
  route_unproved: "A router says that it has paid, and the destination's chain does not show it.",
  return_refused: 'The provider does not give money back that we owe a payer.',
  return_in_doubt:
    'A refund that its tenant has ordered may have been made before, or was, and is not made again: its tenant must not order it again before that is known.',
  price_moved:
    'A price moved further than the deployment allows: nobody pays by it until it is confirmed, or an operator accepts it.',
  renewal_refused:
    "A subscription's renewal is above a limit of its tenant, or a wallet of it is refused by the screening; nothing was charged.",
  chain_mismatch: 'The settings of a chain are not those of the chain.',
  gas_unknown:
    'Nobody knows what a transaction of the gas payer has cost: the chain has used its nonce up and shows none of its versions.',
  books_differ: 'A provider or a chain shows something else than the ledger; see `ledger -- differences`.',
} as const
export type AlertKind = keyof typeof ALERT_KINDS

/** What is to be told, and what it is about, e.g. a chain or a payment. */
export interface Alert {
  kind: AlertKind
  subject: string
  details?: string
}

/** An alert as it stands. */
export interface RaisedAlert {
  id: string
  kind: AlertKind
  subject: string
  count: number
  details: string | null
  firstAt: string
  lastAt: string
  /** Null while it is open. */
  closedAt: string | null
  /** Who closed it; null where it closed by itself, because its cause was gone. */
  closedBy: string | null
  reason: string | null
}

/** Which alerts to list. */
export interface AlertFilter {
  state: 'open' | 'closed' | undefined
  /** Only those with lower ids. */
  after: string | undefined
  limit: number
}

/** Repetitions within this time count once. */
const QUIET_MS = 10_000
/** Where an alert says more than this, what comes within that time is in the log alone: strangers may send as much as they like. */
const WORDS_MAX = 2_000

const RAISE = {
  name: 'operator_alert_raise',
  text: `insert into payments.operator_alert as alert (kind, subject, count, details, first_at, last_at)
    values ($1, $2, 1, $3, $4::timestamptz, $4::timestamptz)
    on conflict (kind, subject) where closed_at is null do update
      set count = alert.count + 1, details = coalesce(excluded.details, alert.details), last_at = excluded.last_at
      where alert.last_at < $5::timestamptz
    returning count`,
}

/** What has been said within the quiet time stays beside what is said now. */
const RAISE_BESIDE = {
  name: 'operator_alert_raise_beside',
  text: `insert into payments.operator_alert as alert (kind, subject, count, details, first_at, last_at)
    values ($1, $2, 1, $3, $4::timestamptz, $4::timestamptz)
    on conflict (kind, subject) where closed_at is null do update
      set count = alert.count + 1, last_at = excluded.last_at, details = case
        when alert.last_at < $5::timestamptz then coalesce(excluded.details, alert.details)
        when length(alert.details) > $6::int then alert.details
        else concat_ws('; ', alert.details, excluded.details) end
      where alert.last_at < $5::timestamptz or strpos('; ' || coalesce(alert.details, '') || '; ', '; ' || excluded.details || '; ') = 0
    returning count`,
}

const RAISE_ONCE = {
  name: 'operator_alert_raise_once',
  text: `insert into payments.operator_alert (kind, subject, count, details, first_at, last_at)
    select $1, $2, 1, $3, $4::timestamptz, $4::timestamptz
    where not exists (select from payments.operator_alert where kind = $1 and subject = $2
      and ($5::timestamptz is null or closed_at is null or first_at >= $5))
    on conflict (kind, subject) where closed_at is null do nothing returning count`,
}

const CLEAR = {
  name: 'operator_alert_clear',
  text: `update payments.operator_alert set closed_at = $3::timestamptz
    where kind = $1 and subject = $2 and closed_at is null and ($4::text is null or starts_with(details, $4))`,
}

const IS_TOLD = {
  name: 'operator_alert_is_told',
  text: 'select from payments.operator_alert where kind = $1 and subject = $2 limit 1',
}

const COLUMNS = `id::text, kind, subject, count, details, first_at as "firstAt", last_at as "lastAt", closed_at as "closedAt",
  closed_by as "closedBy", reason`

const LIST_OPEN = {
  name: 'operator_alert_list_open',
  text: `select ${COLUMNS} from payments.operator_alert where closed_at is null order by last_at desc limit 1000`,
}

const LIST = {
  name: 'operator_alert_list',
  text: `select ${COLUMNS} from payments.operator_alert
    where ($1::boolean is null or (closed_at is null) = $1) and ($2::bigint is null or id < $2) order by id desc limit $3`,
}

const CLOSE = {
  name: 'operator_alert_close',
  text: `update payments.operator_alert set closed_at = $2::timestamptz, closed_by = $3, reason = $4
    where id = $1::bigint and closed_at is null returning ${COLUMNS}`,
}

type AlertRow = RaisedAlert & Record<string, unknown>

/** Counts and logs what needs an operator. */
export type AlertsStore = ReturnType<typeof alertsStore>

/**
 * Alerts as rows, one for each kind and subject, and as errors in the log. One that is raised again within ten seconds is
 * neither counted nor logged, unless it is of what is said once.
 */
export function alertsStore(db: Database, clock: Clock, log: Logger) {
  const tell = ({ kind, subject, details }: Alert, count: number): void =>
    log.error({ alert: kind, subject, details, count }, 'an operator is needed')
  const raised = ({ kind, subject, details }: Alert): (string | null)[] => {
    const now = clock.now()
    return [kind, subject, details ?? null, now.toISOString(), new Date(now.getTime() - QUIET_MS).toISOString()]
  }
  return {
    raise: async (alert: Alert): Promise<void> => {
      const [row] = await run<{ count: number }>(db.pool, RAISE, raised(alert))
      if (row) tell(alert, row.count)
    },
    /** The same for what nobody says again: within ten seconds of another word it is put beside that one, unless that says it too. */
    raiseBeside: async (alert: Alert): Promise<void> => {
      const [row] = await run<{ count: number }>(db.pool, RAISE_BESIDE, [...raised(alert), WORDS_MAX])
      if (row) tell(alert, row.count)
    },
    /**
     * The same for what is looked at again and again: of a kind and subject it is told the first time.
     * @param since when its cause began, where that may go and come again: what was told and closed before does not count
     */
    raiseOnce: async (alert: Alert, since?: Date): Promise<void> => {
      const now = clock.now().toISOString()
      const values = [alert.kind, alert.subject, alert.details ?? null, now, since?.toISOString() ?? null]
      const [row] = await run<{ count: number }>(db.pool, RAISE_ONCE, values)
      if (row) tell(alert, row.count)
    },
    /** Takes an alert back whose cause is gone. @param begins how its details begin, where a subject may have several causes */
    clear: async (kind: AlertKind, subject: string, begins?: string): Promise<void> => {
      await run(db.pool, CLEAR, [kind, subject, clock.now().toISOString(), begins ?? null])
    },
    /** As `clear`, together with what a transaction writes. */
    clearIn: async (em: Transaction, kind: AlertKind, subject: string): Promise<void> => {
      await runIn(em, CLEAR, [kind, subject, clock.now().toISOString(), null])
    },
    /** Whether one of a kind and subject was ever told, also where it is closed. */
    isTold: async (kind: AlertKind, subject: string): Promise<boolean> =>
      (await run(db.pool, IS_TOLD, [kind, subject])).length > 0,
    /** Closes those whose cause the database no longer shows; what was raised just now is looked at the next time. */
    closeGone: async (): Promise<void> => {
      const now = clock.now()
      await run(db.pool, CLOSE_GONE, [now.toISOString(), new Date(now.getTime() - QUIET_MS).toISOString()])
    },
    /** Closes one for a person's reason. @returns undefined where none of this id is open */
    close: async (id: string, by: string, reason: string): Promise<RaisedAlert | undefined> =>
      (await run<AlertRow>(db.pool, CLOSE, [id, clock.now().toISOString(), by, reason]))[0],
    /** The open ones, the newest word first, at most 1000. */
    list: (): Promise<RaisedAlert[]> => run<AlertRow>(db.pool, LIST_OPEN, []),
    /** The newest first. */
    page: ({ state, after, limit }: AlertFilter): Promise<RaisedAlert[]> =>
      run<AlertRow>(db.pool, LIST, [state === undefined ? null : state === 'open', after ?? null, limit]),
  }
}
