import type { Finding } from '../view.js'
import { finding, type Check, type Evidence } from './evidence.js'
import { evmTruth } from './evm-truth.js'

/** Nothing waits that should have been done: no work without a worker, no money half on its way, no open alert. */
export const checkRest: Check = async (evidence) => {
  const found: Finding[] = []
  for (const statement of STATEMENTS) found.push(...(await ask(evidence, statement)))
  return [...found, ...(await checkOperator(evidence)), ...(await checkGateways(evidence))]
}

interface Statement {
  promise: string
  /** Gives `what`, and `is`. */
  text: string
  expected: string
}

const STATEMENTS: readonly Statement[] = [
  {
    promise: 'hangs',
    expected: 'given back by its worker within 90 s',
    text: `select format('job %s (%s)', job.id, task.identifier) as what, format('locked by %s since %s', locked_by, locked_at) as is
      from graphile_worker._private_jobs as job join graphile_worker._private_tasks as task on task.id = job.task_id
      where locked_at < now() - interval '90 seconds'`,
  },
  {
    promise: 'hangs',
    expected: 'begun within 60 s',
    text: `select format('job %s (%s)', job.id, task.identifier) as what, format('due since %s, never begun', run_at) as is
      from graphile_worker._private_jobs as job join graphile_worker._private_tasks as task on task.id = job.task_id
      where locked_at is null and attempts < max_attempts and run_at < now() - interval '60 seconds'`,
  },
  {
    promise: 'hangs',
    expected: 'confirmed or cancelled',
    text: `select format('payout %s of payment %s', leg, payment_id) as what, state as is from payments.payout
      where state not in ('confirmed', 'cancelled')`,
  },
  {
    promise: 'hangs',
    expected: 'an end',
    text: `select format('treasury transaction %s of batch %s', hash, batch_id) as what, state as is
      from payments.treasury_transaction as one where state in ('stored', 'sent') and not exists (
        select from payments.treasury_transaction as other where other.batch_id = one.batch_id
          and other.state = 'confirmed')`,
  },
  {
    promise: 'hangs',
    expected: 'done',
    text: `select format('return %s of receipt %s', id, receipt_id) as what, status as is from payments.receipt_return
      where status <> 'done'`,
  },
  {
    promise: 'hangs',
    expected: 'a payment for its period',
    text: `select format('subscription %s', id) as what, format('due since %s', next_payment_at) as is
      from payments.subscription where status = 'active' and next_payment_at < now() - interval '60 seconds'`,
  },
  {
    promise: 'hangs',
    // One whose release was lost with its connection has lapsed: whoever asks again has it.
    expected: 'answered, released or lapsed within 60 s',
    text: `select format('idempotency key %s', key) as what, format('claimed until %s, not answered', leased_until) as is
      from kernel.idempotency_key where answer is null and created_at < now() - interval '60 seconds'
        and (leased_until is null or leased_until > now())`,
  },
  {
    promise: 'alerts',
    expected: 'none',
    // What may be undone is for `checkPayers` to say.
    text: `select format('alert %s about %s', kind, subject) as what, coalesce(details, '') as is from payments.operator_alert
      where kind <> 'payment_undone' and (kind not in ('payout_stuck', 'operator_stuck', 'treasury_shortage') or last_at > now() - interval '20 seconds')`,
  },
  {
    promise: 'pools',
    expected: 'no transaction open for 10 s',
    text: `select format('connection %s', pid) as what, format('%s since %s: %s', state, state_change, left(query, 80)) as is
      from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'
        and state_change < now() - interval '10 seconds'`,
  },
  {
    promise: 'pools',
    expected: 'no statement that waits for a lock for 10 s',
    text: `select format('connection %s', pid) as what, format('waits since %s: %s', query_start, left(query, 80)) as is
      from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        and query_start < now() - interval '10 seconds'`,
  },
]

async function ask({ sql }: Evidence, { promise, text, expected }: Statement): Promise<Finding[]> {
  const rows = await sql<{ what: string; is: string }>(text)
  return rows.map(({ what, is }) => finding(promise, what, expected, is))
}

const OPERATOR = `select operator, nonce, hash from payments.operator_transaction where chain_name = 'polygon' and state = 'stored'`

/** The operator's transactions are in blocks: their rows may say so later, the chain's count of its nonces may not. */
async function checkOperator({ sql, view }: Evidence): Promise<Finding[]> {
  const truth = evmTruth(view)
  const found: Finding[] = []
  for (const { operator, nonce, hash } of await sql<{ operator: string; nonce: number; hash: string }>(OPERATOR)) {
    const used = await truth.nonceOf(operator)
    if (used <= nonce)
      found.push(finding('hangs', `transaction ${hash} of the operator`, 'in a block', `nonce ${used}`))
  }
  return found
}

/** Every gateway is whole by its own word. */
async function checkGateways({ view }: Evidence): Promise<Finding[]> {
  const found: Finding[] = []
  for (const gateway of view.gateways) {
    const url = `${gateway}/readyz`
    const is = await fetch(url, { signal: AbortSignal.timeout(10_000) }).then(
      ({ status }) => String(status),
      (error: unknown) => String(error),
    )
    if (is !== '200') found.push(finding('pools', url, '200', is))
  }
  return found
}
