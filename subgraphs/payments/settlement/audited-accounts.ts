import type { Chain } from '../../../chains/chain.js'
import type { Stores } from '../store/stores.js'
import type { BegunAccount } from '../store/begun-accounts.js'
import type { GasPayerAudit } from './gas-payer-audit.js'
import type { TreasuryAudit } from './payout-chain.js'
import { signingOn, watched, type PayoutChains } from './treasury-accounts.js'

/** An account of the treasury whose chain is compared with the books. */
export interface AuditedAccount {
  account: string
  audit: TreasuryAudit
  /** From when on it is compared; undefined where it never was. */
  begun: BegunAccount | undefined
}

/** What telling the accounts needs that are compared. */
export type AuditedAccountsDeps = PayoutChains &
  Pick<Stores, 'ledger' | 'treasuryBooks'> & { gasPayerAudit: Pick<GasPayerAudit, 'account'> }

/**
 * The accounts of the treasury that are compared with a chain: those that pay out there, and those that were compared before or have paid,
 * and may hold something still. The books have one account for all of them. What the gas payer holds is in books of its own.
 */
export async function auditedAccounts(deps: AuditedAccountsDeps, chain: Chain): Promise<AuditedAccount[]> {
  const signing = signingOn(deps, chain)
  const begun = await begunAccounts(deps, chain, signing[0]?.account)
  const paid = await deps.treasuryBooks.sendingAccounts(chain.name)
  const ours = new Set([...begun.map(({ account }) => account), ...paid])
  if (chain.family === 'evm') ours.delete(deps.gasPayerAudit.account)
  const others = watched(deps, chain, [...ours])
  return [...signing, ...others].flatMap(({ account, audit }) =>
    audit ? [{ account, audit, begun: begun.find((one) => one.account === account) }] : [],
  )
}

/** Whether an account is not compared yet with a chain on which others are. */
export async function isAnyAdded(deps: AuditedAccountsDeps, chain: Chain): Promise<boolean> {
  if ((await deps.treasuryBooks.comparedTo(`chain:${chain.name}`)) === null) return false
  return (await auditedAccounts(deps, chain)).some(({ begun }) => !begun)
}

/** Of a chain that was compared before there were several accounts, the first one was, though it may have sent nothing. */
async function begunAccounts(
  { ledger, treasuryBooks }: Pick<Stores, 'ledger' | 'treasuryBooks'>,
  { name: chainName }: Chain,
  first: string | undefined,
): Promise<BegunAccount[]> {
  if (first !== undefined) await treasuryBooks.nameFirst(chainName, first)
  const begun = await treasuryBooks.begunAccounts(chainName)
  const firstBlock = await treasuryBooks.firstBlock(`chain:${chainName}`)
  if (begun.length > 0 || firstBlock === null || first === undefined) return begun
  const one = { account: first, firstBlock, sharedFrom: firstBlock }
  await ledger.transaction((em) => treasuryBooks.beginAccount(em, chainName, one))
  return [one]
}
