import type { EntityManager } from '@mikro-orm/postgresql'
import { executeIn } from '../../../kernel/database.js'
import type { NewDeposit } from '../model/payment-address.js'

/** One that is found again, in another block or not, counts again. */
const ADD = `insert into payments.deposit as deposit (chain_name, hash, log_index, tenant_id, payment_id, sender, amount,
    block_number, block_hash, mined_at)
  select ?, hash, log_index, tenant_id, payment_id, sender, amount, block_number, block_hash, mined_at
  from json_to_recordset(?::json) as given (hash text, log_index int, tenant_id text, payment_id text, sender text,
    amount numeric, block_number bigint, block_hash text, mined_at timestamptz)
  on conflict (chain_name, hash, log_index) do update set is_undone = false, is_applied = false,
    block_number = excluded.block_number, block_hash = excluded.block_hash, mined_at = excluded.mined_at
    where deposit.is_undone or deposit.block_hash <> excluded.block_hash`

const UNDO = `update payments.deposit set is_undone = true, is_applied = false
  where chain_name = ? and block_number > ?::bigint and not is_undone`

/** Writes down what was found in blocks of a chain. */
export async function addDeposits(
  em: EntityManager,
  chainName: string,
  deposits: readonly NewDeposit[],
): Promise<void> {
  if (deposits.length > 0) await executeIn(em, ADD, [chainName, JSON.stringify(inOneOrder(deposits).map(rowOf))])
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
