import type { Chain } from '../../../chains/chain.js'
import type { Stores } from '../store/stores.js'
import type { TreasuryAccount } from '../store/begun-accounts.js'
import type { AuditedAccount } from './audited-accounts.js'
import type { TreasuryAudit } from './payout-chain.js'
import type { ReportDifferenceDeps } from './report-difference.js'

/** What comparing a treasury's books with its chain needs. */
export type AuditDeps = ReportDifferenceDeps &
  Pick<Stores, 'differences' | 'ledger' | 'ownerTransfers' | 'treasuryBooks'>

/** An account of the treasury whose books are compared with its chain. */
export interface AuditedTreasury {
  deps: AuditDeps
  chain: Chain
  audit: TreasuryAudit
  of: TreasuryAccount
  /** All accounts of the chain, this one too. */
  accounts: readonly AuditedAccount[]
  /** The last block that is compared: final, and everything in it that is ours is booked. */
  block: number
}
