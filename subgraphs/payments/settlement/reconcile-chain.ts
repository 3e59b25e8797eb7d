import type { Chain } from '../../../chains/chain.js'
import type { LedgerEntry } from '../model/ledger-entries.js'
import { amountOf, unitsOf } from '../model/signed-amount.js'
import type { BegunAccount } from '../store/begun-accounts.js'
import { auditedAccounts, type AuditedAccount } from './audited-accounts.js'
import type { AuditDeps, AuditedTreasury } from './audited-treasury.js'
import { compareFees } from './compare-fees.js'
import { compareTransfers } from './compare-transfers.js'
import type { GasPayerAudit } from './gas-payer-audit.js'
import { accountOpening, openingEntries, togetherOf, writeOpening } from './open-account.js'
import type { FinalView } from './payout-chain.js'
import { reportDifference } from './report-difference.js'
import type { PayoutChains } from './treasury-accounts.js'

/** What comparing a treasury with its chain needs. */
export type ReconcileChainDeps = AuditDeps & PayoutChains & { gasPayerAudit: Pick<GasPayerAudit, 'account'> }

/** Blocks that were compared before are compared again: what a chain calls final may still be dropped, and a node's history be late. */
const LOOK_BACK_BLOCKS: Readonly<Record<Chain['family'], number>> = { evm: 5_000, solana: 216_000 }

/** The accounts of a treasury up to a block, and what the chain calls final. */
interface Audit {
  deps: ReconcileChainDeps
  chain: Chain
  accounts: readonly AuditedAccount[]
  final: FinalView
  block: number
}

/**
 * Compares the books of a treasury with its chain, from where the last time ended: transfers and payouts one by one, what each
 * transaction has cost, and what its accounts hold together. The first time books what they hold as the owner's. What cannot be
 * explained stands in suspense, so that the books say what the chain says.
 * @throws AppError confirm_rpc_unavailable
 */
export async function reconcileChain(deps: ReconcileChainDeps, chain: Chain): Promise<void> {
  const accounts = await auditedAccounts(deps, chain)
  const [first] = accounts
  if (!first) return
  const begunAt = deps.clock.now()
  const scope = `chain:${chain.name}`
  const { firstBlock, blockNumber } = await deps.treasuryBooks.start(scope, begunAt)
  const addresses = accounts.map(({ account }) => account)
  const final = await first.audit.readFinal(chain, addresses)
  const found = await lastBookedBlock(deps, chain, accounts, final)
  if ('skipped' in found) return deps.treasuryBooks.end(scope, deps.clock.now(), found)
  const audit: Audit = { deps, chain, accounts, final, block: found.block }
  if (firstBlock === null || blockNumber === null) {
    await beginAll(audit)
  } else {
    const all = await beginAdded(audit, blockNumber)
    if ('skipped' in all) return deps.treasuryBooks.end(scope, deps.clock.now(), all)
    const open = await deps.differences.openOf(scope)
    for (const { treasury, begun } of begunIn({ ...audit, ...all })) {
      const from = Math.max(begun + 1, blockNumber - LOOK_BACK_BLOCKS[chain.family] + 1)
      await compareTransfers(treasury, from, open)
      await compareFees(treasury, { from, newFrom: blockNumber + 1 }, open)
    }
    await compareBalances({ ...audit, ...all }, begunAt)
  }
  await deps.treasuryBooks.end(scope, deps.clock.now(), found)
}

function treasuryOf({ deps, chain, accounts, block }: Audit, { account, audit }: AuditedAccount): AuditedTreasury {
  return { deps, chain, audit, accounts, block, of: { chainName: chain.name, account } }
}

/** The accounts that are compared, and from which block on. */
function begunIn(audit: Audit): { treasury: AuditedTreasury; begun: number }[] {
  return audit.accounts.flatMap((one) =>
    one.begun ? [{ treasury: treasuryOf(audit, one), begun: one.begun.firstBlock }] : [],
  )
}

/** The newest block that is final and of which everything is booked, or why there is none now. */
async function lastBookedBlock(
  { treasuryBooks }: ReconcileChainDeps,
  chain: Chain,
  accounts: readonly AuditedAccount[],
  final: FinalView,
): Promise<{ block: number } | { skipped: string }> {
  if (final.block < 0) return { skipped: 'no block is final yet' }
  let { block } = final
  const unsettled = []
  for (const { account, audit } of accounts) {
    const { open, followedBlock } = await treasuryBooks.unsettled({ chainName: chain.name, account })
    if (followedBlock !== null) block = Math.min(block, followedBlock - 1)
    unsettled.push({ audit, open })
  }
  for (const { audit, open } of unsettled) {
    if (await audit.hasLanded(chain, open, block)) {
      return { skipped: 'a transaction has landed and is not booked yet' }
    }
  }
  return { block }
}

/** What the books say that the treasury held at the block, by currency, in units of 10⁻¹⁸. */
async function bookedAt({ deps, chain, accounts, block }: Audit): Promise<Map<string, bigint> | undefined> {
  const ledgerAccount = `treasury:${chain.name}`
  const readAbove = async () => {
    const above = await deps.treasuryBooks.ownersAbove(chain.name, ledgerAccount, block)
    for (const { account } of accounts)
      above.push(...(await deps.treasuryBooks.bookedAbove({ chainName: chain.name, account }, block)))
    return JSON.stringify(above)
  }
  const before = await readAbove()
  const balances = await deps.ledger.balances()
  // What was booked between the two reads would be in one of them only.
  if ((await readAbove()) !== before) return undefined
  const held = new Map<string, bigint>()
  for (const { account, currency, balance } of balances) {
    if (account === ledgerAccount) held.set(currency, unitsOf(balance))
  }
  for (const { currency, amount } of JSON.parse(before) as { currency: string; amount: string }[]) {
    held.set(currency, (held.get(currency) ?? 0n) - unitsOf(amount))
  }
  return held
}

/** The first time: what all accounts hold is the owner's. */
async function beginAll(audit: Audit): Promise<void> {
  const { deps, chain, accounts, final, block } = audit
  const booked = await bookedAt(audit)
  if (!booked) throw new Error('the treasury is booked on just now')
  const entries = openingEntries(chain, (await final.balancesAt(block)) ?? new Map(), booked)
  const begun = accounts.map(({ account }) => ({ account, firstBlock: block, sharedFrom: block }))
  await writeOpening({ deps, chain }, { entries, begun })
}

/**
 * Begins to compare accounts that were added, all at once: what went between two of them by then is in what both hold. Where they cannot
 * begin now nothing is compared, as what the others gave them since the last time would be asked about.
 * @param comparedTo up to which block the others were compared
 * @returns all accounts of the chain
 */
async function beginAdded(
  audit: Audit,
  comparedTo: number,
): Promise<{ accounts: readonly AuditedAccount[] } | { skipped: string }> {
  const { deps, chain, accounts, final, block } = audit
  const added = accounts.filter(({ begun }) => !begun)
  if (added.length === 0) return { accounts }
  if (block < comparedTo) return { skipped: 'a node is behind, and an account was added' }
  for (const { account } of added) {
    // It may have landed, and then its gas is booked when that is known.
    const isUndecided = await deps.treasuryBooks.hasUndecided({ chainName: chain.name, account })
    if (isUndecided) return { skipped: 'a transaction of an added account waits for a decision' }
  }
  const held = await final.balancesAt(block)
  if (!held) return { skipped: 'what an added account holds cannot be had' }
  const begin = (one: AuditedAccount): AuditedAccount & { begun: BegunAccount } => ({
    ...one,
    begun: { account: one.account, firstBlock: block, sharedFrom: comparedTo },
  })
  const entries: LedgerEntry[] = []
  for (const one of added) {
    const own = begin(one)
    const treasury = treasuryOf({ ...audit, accounts: accounts.map((each) => (each === one ? own : each)) }, own)
    entries.push(...(await accountOpening(treasury, held.get(one.account) ?? new Map<string, string>(), own.begun)))
  }
  await writeOpening(audit, { entries, begun: added.map((one) => begin(one).begun) })
  return { accounts: accounts.map((one) => (one.begun ? one : begin(one))) }
}

async function compareBalances(audit: Audit, begunAt: Date): Promise<void> {
  const { deps, chain, final, block } = audit
  const held = await final.balancesAt(block)
  const booked = held && (await bookedAt(audit))
  if (!booked) return
  const scope = `balance:${chain.name}`
  for (const [currency, units] of togetherOf(held)) {
    const [actual, expected] = [amountOf(units), amountOf(booked.get(currency) ?? 0n)]
    if (expected === actual) continue
    const subject = `${chain.name}:${currency}`
    const details = `what the treasury held at block ${block}`
    await reportDifference(deps, { kind: 'wrong_balance', subject, scope, expected, actual, currency, details })
  }
  await deps.differences.closeUnseen(scope, begunAt)
}
