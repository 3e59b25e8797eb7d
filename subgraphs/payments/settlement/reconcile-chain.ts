import type { Chain } from '../../../chains/chain.js'
import { openingEntry, HOUSE } from '../model/house-entries.js'
import { amountOf, unitsOf } from '../model/signed-amount.js'
import type { TreasuryAccount } from '../store/treasury-books.js'
import type { AuditDeps, AuditedTreasury } from './audited-treasury.js'
import { compareFees } from './compare-fees.js'
import { compareTransfers } from './compare-transfers.js'
import type { FinalView, PayoutChains, TreasuryAudit } from './payout-chain.js'
import { reportDifference } from './report-difference.js'

/** What comparing a treasury with its chain needs. */
export type ReconcileChainDeps = AuditDeps & PayoutChains

/** Blocks that were compared before are compared again: what a chain calls final may still be dropped, and a node's history be late. */
const LOOK_BACK_BLOCKS: Readonly<Record<Chain['family'], number>> = { evm: 5_000, solana: 216_000 }

/**
 * Compares the books of a treasury with its chain, from where the last time ended: transfers and payouts one by one, what each
 * transaction has cost, and what the account holds. The first time books what it holds as the owner's. What cannot be
 * explained stands in suspense, so that the books say what the chain says.
 * @throws AppError confirm_rpc_unavailable
 */
export async function reconcileChain(deps: ReconcileChainDeps, chain: Chain): Promise<void> {
  const port = deps.payoutChains[chain.family]
  if (!port?.audit) return
  const begunAt = deps.clock.now()
  const scope = `chain:${chain.name}`
  const of = { chainName: chain.name, account: port.account }
  const { firstBlock, blockNumber } = await deps.treasuryBooks.start(scope, begunAt)
  const final = await port.audit.readFinal(chain)
  const found = await lastBookedBlock(deps, { chain, audit: port.audit, of, final })
  if ('skipped' in found) return deps.treasuryBooks.end(scope, deps.clock.now(), found)
  const treasury: AuditedTreasury = { deps, chain, audit: port.audit, final, of, block: found.block }
  if (firstBlock === null || blockNumber === null) {
    await bookOpening(treasury)
  } else {
    const from = Math.max(firstBlock + 1, blockNumber - LOOK_BACK_BLOCKS[chain.family] + 1)
    const open = await deps.differences.openOf(scope)
    await compareTransfers(treasury, from, open)
    await compareFees(treasury, { from, newFrom: blockNumber + 1 }, open)
    await compareBalances(treasury, begunAt)
  }
  await deps.treasuryBooks.end(scope, deps.clock.now(), found)
}

/** The newest block that is final and of which everything is booked, or why there is none now. */
async function lastBookedBlock(
  { treasuryBooks }: ReconcileChainDeps,
  { chain, audit, of, final }: { chain: Chain; audit: TreasuryAudit; of: TreasuryAccount; final: FinalView },
): Promise<{ block: number } | { skipped: string }> {
  if (final.block < 0) return { skipped: 'no block is final yet' }
  const { open, followedBlock } = await treasuryBooks.unsettled(of)
  const block = followedBlock === null ? final.block : Math.min(final.block, followedBlock - 1)
  const hasLanded = await audit.hasLanded(chain, open, block)
  return hasLanded ? { skipped: 'a transaction has landed and is not booked yet' } : { block }
}

/** What the books say that the treasury held at the block, by currency, in units of 10⁻¹⁸. */
async function bookedAt({ deps, chain, of, block }: AuditedTreasury): Promise<Map<string, bigint> | undefined> {
  const readAbove = async () => JSON.stringify(await deps.treasuryBooks.bookedAbove(of, block))
  const before = await readAbove()
  const balances = await deps.ledger.balances()
  // What was booked between the two reads would be in one of them only.
  if ((await readAbove()) !== before) return undefined
  const held = new Map<string, bigint>()
  for (const { account, currency, balance } of balances) {
    if (account === `treasury:${chain.name}`) held.set(currency, unitsOf(balance))
  }
  for (const { currency, amount } of JSON.parse(before) as { currency: string; amount: string }[]) {
    held.set(currency, (held.get(currency) ?? 0n) - unitsOf(amount))
  }
  return held
}

async function bookOpening(treasury: AuditedTreasury): Promise<void> {
  const { deps, chain, final, block } = treasury
  const booked = await bookedAt(treasury)
  if (!booked) throw new Error('the treasury is booked on just now')
  for (const [currency, balance] of (await final.balancesAt(block)) ?? []) {
    const amount = amountOf(unitsOf(balance) - (booked.get(currency) ?? 0n))
    if (amount === '0') continue
    await deps.ledger.bookOnce({ ...HOUSE, at: deps.clock.now() }, openingEntry(chain.name, { amount, currency }))
  }
}

async function compareBalances(treasury: AuditedTreasury, begunAt: Date): Promise<void> {
  const { deps, chain, final, block } = treasury
  const held = await final.balancesAt(block)
  const booked = held && (await bookedAt(treasury))
  if (!booked) return
  const scope = `balance:${chain.name}`
  for (const [currency, actual] of held) {
    const expected = amountOf(booked.get(currency) ?? 0n)
    if (expected === actual) continue
    const subject = `${chain.name}:${currency}`
    const details = `what the treasury held at block ${block}`
    await reportDifference(deps, { kind: 'wrong_balance', subject, scope, expected, actual, currency, details })
  }
  await deps.differences.closeUnseen(scope, begunAt)
}
