import type { Chain } from '../../../chains/chain.js'
import type { Stores } from '../store/stores.js'
import type { BegunAccount } from '../store/treasury-books.js'
import { COIN_PLACE, type TreasuryAudit, type TreasuryTransfer } from './payout-chain.js'
import { signingOn, watched, type PayoutChains } from './treasury-accounts.js'

/** An account of the treasury whose chain is compared with the books. */
export interface AuditedAccount {
  account: string
  audit: TreasuryAudit
  /** From when on it is compared; undefined where it never was. */
  begun: BegunAccount | undefined
}

/**
 * The accounts of the treasury that are compared with a chain: those that pay out there, and those that were compared before and may hold
 * something still. The books have one account for all of them.
 */
export async function auditedAccounts(
  deps: PayoutChains & Pick<Stores, 'treasuryBooks'>,
  chain: Chain,
): Promise<AuditedAccount[]> {
  const signing = signingOn(deps, chain)
  const begun = await begunAccounts(deps, chain, signing[0]?.account)
  const others = watched(
    deps,
    chain,
    begun.map(({ account }) => account),
  )
  return [...signing, ...others].flatMap(({ account, audit }) =>
    audit ? [{ account, audit, begun: begun.find((one) => one.account === account) }] : [],
  )
}

/** Of a chain that was compared before there were several accounts, the first one was, though it may have sent nothing. */
async function begunAccounts(
  { treasuryBooks }: Pick<Stores, 'treasuryBooks'>,
  { name: chainName }: Chain,
  first: string | undefined,
): Promise<BegunAccount[]> {
  const begun = await treasuryBooks.begunAccounts(chainName)
  const firstBlock = await treasuryBooks.firstBlock(`chain:${chainName}`)
  if (begun.length > 0 || firstBlock === null || first === undefined) return begun
  const one = { account: first, firstBlock, sharedFrom: firstBlock }
  await treasuryBooks.beginAccount(chainName, one)
  return [one]
}

/**
 * Whether a transfer went between two accounts of ours, which changes nothing in the books. What an account held when it was first
 * compared is the owner's, and so is what it had got by then, but for what is told apart by then.
 */
export function isBetweenOurs(
  accounts: readonly AuditedAccount[],
  { other, blockNumber, logIndex }: TreasuryTransfer,
): boolean {
  const begun = accounts.find(({ account }) => account.toLowerCase() === other.toLowerCase())?.begun
  if (!begun) return false
  return blockNumber > (logIndex === COIN_PLACE ? begun.firstBlock : begun.sharedFrom)
}
