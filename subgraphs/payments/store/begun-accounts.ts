import type { EntityManager } from '@mikro-orm/postgresql'
import { executeIn, inTransaction, type Database } from '../../../kernel/database.js'

/** An account of the treasury on a chain. */
export interface TreasuryAccount {
  chainName: string
  account: string
}

/** From when on an account is compared with its chain. */
export interface BegunAccount {
  account: string
  /** What it held at this block is the owner's. */
  firstBlock: number
  /** Token transfers with our other accounts above this block change nothing in the books. */
  sharedFrom: number
}

const HAS_UNDECIDED = `select hash from payments.treasury_transaction
  where chain_name = ? and account = ? and state = 'unexpected' limit 1`

/** One look into the index for each account, however many transactions each has. */
const SENDING = `with recursive sender as (
    (select account from payments.treasury_transaction where chain_name = ? order by account limit 1)
    union all select (select account from payments.treasury_transaction
        where chain_name = ? and account > sender.account order by account limit 1)
      from sender where sender.account is not null)
  select account from sender where account is not null`

const BEGUN = `select account, first_block::float8 as "firstBlock", shared_from::float8 as "sharedFrom"
  from payments.treasury_account where chain_name = ? and account <> '' order by account`

const BEGIN = `insert into payments.treasury_account (chain_name, account, first_block, shared_from)
  values (?, ?, ?, ?) on conflict do nothing`

/** See `0086-treasury-accounts`. */
const NAME_FIRST = `with unnamed as (delete from payments.treasury_account where chain_name = ? and account = ''
    returning first_block, shared_from)
  insert into payments.treasury_account (chain_name, account, first_block, shared_from)
    select ?, ?, first_block, shared_from from unnamed on conflict do nothing`

/** Which accounts of a treasury are compared with a chain, and which have to be. */
export function begunAccountsOf(db: Database) {
  const read = <Row>(sql: string, values: unknown[]): Promise<Row[]> =>
    inTransaction(db, (em) => executeIn<Row>(em, sql, values))
  return {
    /** Whether an operator has to decide what became of a transaction of an account. */
    hasUndecided: async ({ chainName, account }: TreasuryAccount): Promise<boolean> =>
      (await read<object>(HAS_UNDECIDED, [chainName, account])).length > 0,
    /** The accounts that have ever signed for a chain. */
    sendingAccounts: async (chainName: string): Promise<string[]> =>
      (await read<{ account: string }>(SENDING, [chainName, chainName])).map(({ account }) => account),
    /** Gives an account the place of the one that was compared before accounts were written down, whichever that was. */
    nameFirst: async (chainName: string, account: string): Promise<void> => {
      await read(NAME_FIRST, [chainName, chainName, account])
    },
    /** The accounts that are compared with a chain, and from when on. */
    begunAccounts: (chainName: string): Promise<BegunAccount[]> => read(BEGUN, [chainName]),
    beginAccount: async (
      em: EntityManager,
      chainName: string,
      { account, firstBlock, sharedFrom }: BegunAccount,
    ): Promise<void> => {
      await executeIn(em, BEGIN, [chainName, account, firstBlock, sharedFrom])
    },
  }
}
