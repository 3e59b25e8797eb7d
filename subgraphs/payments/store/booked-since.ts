import type { EntityManager } from '@mikro-orm/postgresql'
import { executeIn } from '../../../kernel/database.js'
import { unitsOf } from '../model/signed-amount.js'
import { bookedBy, bookedOwners, PLACE } from './treasury-books.js'

/** A balance that a comparison has found wrong. */
interface ComparedBalance {
  chainName: string
  /** Of the ledger. */
  account: string
  currency: string
  /** What the books said that it held, a decimal string. */
  expected: string
  /** When that was. */
  seenAt: string
}

const COMPARED_TO = `(select block_number from payments.reconciliation where scope = 'chain:' || ?::text)`

/** Of all accounts of the treasury on a chain. */
const ABOVE = bookedBy(
  `(select * from payments.treasury_transaction as transaction where transaction.chain_name = ?
    and transaction.state = 'confirmed' and ${PLACE} > ${COMPARED_TO}) as transaction`,
  '= transaction.hash',
)

/** What is booked now on an account of a treasury, less what is above the block up to which it was compared: by one look at the books. */
const BOOKED_NOW = `select trim_scale(
    coalesce((select sum(debit - credit) from payments.ledger_balance where account = ? and currency = ?), 0)
    + coalesce((select sum(debit - credit) from payments.ledger_line where account = ? and currency = ?
      and created_at >= (select balanced_to from payments.ledger_fence)), 0)
    - coalesce((select sum(amount::numeric) from (${ABOVE}) as above where currency = ?), 0)
    - coalesce((select sum(amount::numeric) from (${bookedOwners(COMPARED_TO)}) as owners where currency = ?), 0))::text as booked`

/** All gas up to the block is booked when the gas payer is compared: what is booked of it later was spent later. */
const IS_GAS_PAYER_BOOKED = `select 1 from payments.ledger_line where account = ? and currency = ? and entry not like 'gas:%'
  and created_at >= ?::timestamptz limit 1`

/** Whether something was booked since about the time up to which a balance was compared, so that it may be right by now. */
export async function isBookedSince(
  em: EntityManager,
  { chainName, account, currency, expected, seenAt }: ComparedBalance,
): Promise<boolean> {
  if (account.startsWith('gas-payer:'))
    return (await executeIn(em, IS_GAS_PAYER_BOOKED, [account, currency, seenAt])).length > 0
  const held = [account, currency, account, currency]
  const above = [chainName, chainName, currency]
  const owners = [chainName, chainName, account, currency]
  const [row] = await executeIn<{ booked: string }>(em, BOOKED_NOW, [...held, ...above, ...owners])
  return unitsOf(row?.booked ?? '0') !== unitsOf(expected)
}
