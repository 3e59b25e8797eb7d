import type { EntityManager } from '@mikro-orm/postgresql'
import { executeIn } from '../../../kernel/database.js'
import type { NewDeposit } from '../model/payment-address.js'

const GIVEN = `json_to_recordset(?::json) as given (hash text, log_index int, tenant_id text, payment_id text, sender text,
    amount numeric, block_number bigint, block_hash text, mined_at timestamptz)`

/**
 * What lies unread at an address is what was not found there. The look of the other scope may have been ahead of the one that has found it:
 * both lock addresses in one order.
 */
const LOOK_BACK = `update payments.payment_address as address set look_back_at = 'epoch' from (
    select tenant_id, payment_id, chain_name from payments.payment_address as known
    where exists (select from ${GIVEN} where given.tenant_id = known.tenant_id and given.payment_id = known.payment_id)
      and chain_name = ? and laid_before > 0 order by tenant_id, payment_id for update) as laid
  where address.tenant_id = laid.tenant_id and address.payment_id = laid.payment_id and address.chain_name = laid.chain_name`

/**
 * A transaction is in one block: what it was found to bring a payment in another one does not count. Other payments' deposits are undone by
 * whoever reads them.
 */
const UNDO_ELSEWHERE = `update payments.deposit set is_undone = true, is_applied = false from ${GIVEN}
  where deposit.chain_name = ? and deposit.hash = given.hash and deposit.tenant_id = given.tenant_id
    and deposit.payment_id = given.payment_id and deposit.block_hash <> given.block_hash and not deposit.is_undone`

/**
 * One that is found again, in another block or not, counts again. Logs are counted through their block: in another one the same transfer
 * may have another place, and another one its own. So a place says nothing of whose it is, and a verdict is its sender's, not the place's.
 */
const ADD = `insert into payments.deposit as deposit (chain_name, hash, log_index, tenant_id, payment_id, sender, amount,
    block_number, block_hash, mined_at, verdict)
  select chain.name, hash, log_index, tenant_id, payment_id, sender, amount, block_number, block_hash, mined_at,
    (select max(verdict) from payments.deposit as known where known.chain_name = chain.name and known.hash = given.hash
      and known.tenant_id = given.tenant_id and known.payment_id = given.payment_id and known.sender = given.sender)
  from ${GIVEN}, (select ?::text as name) as chain
  on conflict (chain_name, hash, log_index, payment_id) do update set is_undone = false, is_applied = false,
    sender = excluded.sender, amount = excluded.amount, block_number = excluded.block_number, block_hash = excluded.block_hash,
    mined_at = excluded.mined_at, verdict = excluded.verdict
    where deposit.is_undone or deposit.block_hash <> excluded.block_hash`

const UNDO = `update payments.deposit set is_undone = true, is_applied = false
  where chain_name = ? and block_number > ?::bigint and not is_undone`

/** Writes down what was found in blocks of a chain. */
export async function addDeposits(
  em: EntityManager,
  chainName: string,
  deposits: readonly NewDeposit[],
): Promise<void> {
  if (deposits.length === 0) return
  const given = JSON.stringify(inOneOrder(deposits).map(rowOf))
  for (const statement of [LOOK_BACK, UNDO_ELSEWHERE, ADD]) await executeIn(em, statement, [given, chainName])
}

/** What came after a block does not count until it is found again. */
export async function undoDeposits(em: EntityManager, chainName: string, block: bigint): Promise<void> {
  await executeIn(em, UNDO, [chainName, block.toString()])
}

/** Of two who write the same down neither waits for the other with what the other waits for. */
function inOneOrder(deposits: readonly NewDeposit[]): NewDeposit[] {
  const keyOf = ({ hash, logIndex }: NewDeposit): string => `${hash}:${logIndex}`
  return deposits.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
}

function rowOf({ hash, logIndex, tenantId, paymentId, sender, amount, blockNumber, blockHash, minedAt }: NewDeposit) {
  return {
    hash,
    log_index: logIndex,
    tenant_id: tenantId,
    payment_id: paymentId,
    sender,
    amount: amount.toString(),
    block_number: blockNumber.toString(),
    block_hash: blockHash,
    mined_at: minedAt.toISOString(),
  }
}
