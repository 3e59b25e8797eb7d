import { neededOption, readOptions } from '../../../kernel/command-line.js'
import { executeIn, inTransaction, type Database } from '../../../kernel/database.js'
import { settleChainJob } from '../settlement/settlement-jobs.js'
import { pausesStore, type PauseScope } from '../store/payout-pauses.js'
import type { Books } from './answer.js'

const SCOPE = { chain: { type: 'string' }, tenant: { type: 'string' } } as const

/**
 * What may still land, what an operator has to decide on, and what holds payouts back, with the last decision about each.
 * Held payouts are few: they are looked up first.
 */
const OPEN_TRANSACTIONS = `with holding as (
    select distinct leg.batch_id from payments.payout as payout join payments.batch_leg as leg
      using (tenant_id, payment_id, leg, attempt) where payout.state = 'held' and (leg.outcome = 'unproven'
        or exists (select from payments.treasury_transaction as transaction where transaction.batch_id = leg.batch_id
          and (state = 'unexpected' or cancelled_at is not null))))
  select batch_id as id, chain_name as chain, account, hash, nonce, version, state, created_at as "signedAt", cancelled_at as "cancelledAt",
    batch_id in (select batch_id from holding) as "holdsPayouts",
    array(select distinct payment_id from payments.batch_leg as leg where leg.batch_id = transaction.batch_id) as payments,
    array(select distinct payment_id from payments.batch_leg as leg where leg.batch_id = transaction.batch_id and is_named)
      as "carriesReferencesOf",
    (select json_build_object('action', action, 'state', state, 'result', result, 'reason', reason, 'by', ordered_by,
        'at', ordered_at) from payments.intervention as intervention where intervention.batch_id = transaction.batch_id
      order by ordered_at desc limit 1) as decision
  from payments.treasury_transaction as transaction where state in ('stored', 'sent')
    or state = 'unexpected' or batch_id in (select batch_id from holding)
  order by chain_name, account, nonce, created_at, version limit 1000`

/** Pauses payouts of a chain, of a tenant, of one on the other, or all. @throws UsageError */
export async function pause({ db, clock }: Books, args: readonly string[]): Promise<object> {
  const values = readOptions(args, { ...SCOPE, reason: { type: 'string' } })
  const pauses = pausesStore(db, clock)
  await pauses.pause(scopeOf(values), neededOption(values, 'reason'))
  return { paused: await pauses.list() }
}

/** Ends a pause of the same scope. @throws UsageError */
export async function resume({ db, clock }: Books, args: readonly string[]): Promise<object> {
  const scope = scopeOf(readOptions(args, SCOPE))
  const pauses = pausesStore(db, clock)
  const resumed = await pauses.resume(scope, (chainName) => settleChainJob(chainName))
  return { resumed, paused: await pauses.list() }
}

/**
 * The treasury's transactions that have not come to an end or hold payouts, by account and nonce, with the payments that each pays, and those
 * of them whose references are on it, where it was found on the chain.
 */
export function transactions(db: Database): Promise<object[]> {
  return inTransaction(db, (em) => executeIn<object>(em, OPEN_TRANSACTIONS, []))
}

function scopeOf({ chain, tenant }: Readonly<Record<string, string | boolean | undefined>>): PauseScope {
  return {
    ...(typeof chain === 'string' && { chainName: chain }),
    ...(typeof tenant === 'string' && { tenantId: tenant }),
  }
}
