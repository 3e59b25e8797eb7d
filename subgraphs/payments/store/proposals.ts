import type { EntityManager } from '@mikro-orm/postgresql'
import { executeIn, inTransaction, type Database } from '../../../kernel/database.js'
import type { DecidedAction } from './interventions.js'

/** An act that one operator has proposed, and another has to confirm. */
export interface Proposal {
  action: DecidedAction
  /** The transaction; of a release, the payment. */
  subject: string
  reason: string | null
  /** The person's id. */
  proposedBy: string
  proposerEmail: string
  proposedAt: Date
}

const COLUMNS = `action, subject, reason, proposed_by as "proposedBy", proposer_email as "proposerEmail",
  proposed_at as "proposedAt"`

/** What somebody else has proposed, and is taken up with that. */
const TAKE = `delete from payments.operator_proposal where action = ? and subject = ? and proposed_by <> ?
  and lower(proposer_email) <> lower(?) and proposed_at > ?::timestamptz returning ${COLUMNS}`

/** One that nobody has confirmed in time is no proposal any more. */
const PROPOSE = `insert into payments.operator_proposal as one
    (action, subject, reason, proposed_by, proposer_email, proposed_at) values (?, ?, ?, ?, ?, ?::timestamptz)
  on conflict (action, subject) do update set reason = excluded.reason, proposed_by = excluded.proposed_by,
    proposer_email = excluded.proposer_email, proposed_at = excluded.proposed_at
    where one.proposed_at <= ?::timestamptz`

const FIND = `select ${COLUMNS} from payments.operator_proposal where action = ? and subject = ?`

const LIST = `select ${COLUMNS} from payments.operator_proposal where proposed_at > ?::timestamptz
  order by proposed_at desc, action, subject limit ?`

/**
 * What a transaction would pay, or what of a payment is held, by currency. Where nobody can prove that a transaction has not
 * paid it, the release of a payment counts as that of all payments of the transaction: one by one they would be small.
 */
const BATCH_AMOUNTS = `select payout.symbol, trim_scale(sum(leg.amount::numeric))::text as amount
  from payments.batch_leg as leg join payments.payout as payout using (tenant_id, payment_id, leg)
  where leg.batch_id = ? group by payout.symbol`
const HELD_AMOUNTS = `select symbol, trim_scale(sum(amount))::text as amount from (
    select symbol, amount::numeric as amount from payments.payout
      where payment_id = ? and (state = 'held' or state = 'waiting' and hold_reason = 'delay')
    union all
    select payout.symbol, leg.amount::numeric from payments.payout as held
      join payments.batch_leg as own on (own.tenant_id, own.payment_id, own.leg) = (held.tenant_id, held.payment_id, held.leg)
      join payments.batch_leg as leg on leg.batch_id = own.batch_id and leg.payment_id <> held.payment_id
      join payments.payout as payout
        on (payout.tenant_id, payout.payment_id, payout.leg) = (leg.tenant_id, leg.payment_id, leg.leg)
      where held.payment_id = ? and held.state = 'held' and held.hold_reason in ('unproven', 'cancelled')
  ) as released group by symbol`

/** An amount of a currency, a decimal string. */
export interface SymbolAmount {
  symbol: string
  amount: string
}

export function proposalsStore(db: Database) {
  return {
    /** Takes up what another person has proposed after `since`. @returns undefined where nobody else has */
    take: async (em: EntityManager, proposal: Proposal, since: Date): Promise<Proposal | undefined> => {
      const { action, subject, proposedBy, proposerEmail } = proposal
      const values = [action, subject, proposedBy, proposerEmail, since.toISOString()]
      return (await executeIn<Proposal>(em, TAKE, values))[0]
    },
    /** Writes a proposal down, where none stands that was made after `since`. @returns the one that stands */
    propose: async (em: EntityManager, proposal: Proposal, since: Date): Promise<Proposal> => {
      const { action, subject, reason, proposedBy, proposerEmail, proposedAt } = proposal
      const values = [action, subject, reason, proposedBy, proposerEmail, proposedAt.toISOString()]
      await executeIn(em, PROPOSE, [...values, since.toISOString()])
      return (await executeIn<Proposal>(em, FIND, [action, subject]))[0] ?? proposal
    },
    /** Those that stand, the newest first. */
    list: (since: Date, limit: number): Promise<Proposal[]> =>
      inTransaction(db, (em) => executeIn<Proposal>(em, LIST, [since.toISOString(), limit])),
    /** What an act is about, by currency. */
    amountsOf: (
      em: EntityManager,
      { action, subject }: Pick<Proposal, 'action' | 'subject'>,
    ): Promise<SymbolAmount[]> =>
      action === 'release'
        ? executeIn<SymbolAmount>(em, HELD_AMOUNTS, [subject, subject])
        : executeIn<SymbolAmount>(em, BATCH_AMOUNTS, [subject]),
  }
}
