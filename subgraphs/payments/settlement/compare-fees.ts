import type { AuditedTreasury } from './audited-treasury.js'
import { reportDifference } from './report-difference.js'

/**
 * Compares what transactions have cost with what is booked for them: the new ones, and those that differed.
 * @param blocks.from where what differed before may be, `newFrom` where what was not compared before begins
 * @param open the differences of the chain, as `kind:subject`
 */
export async function compareFees(
  { deps, chain, audit, of, block }: AuditedTreasury,
  blocks: { from: number; newFrom: number },
  open: ReadonlySet<string>,
): Promise<void> {
  for (const { hash, blockNumber, fee } of await deps.treasuryBooks.transactions(of, blocks.from, block)) {
    const subject = `${chain.name}:${hash}`
    const isOpen = open.has(`wrong_fee:${subject}`)
    if (blockNumber < blocks.newFrom && !isOpen) continue
    const cost = await audit.costOf(chain, hash)
    if (!cost) continue
    if (cost.amount !== fee) {
      const { amount: actual, currency } = cost
      const details = `what ${hash} has cost`
      const found = { kind: 'wrong_fee', expected: fee, actual, currency, details } as const
      await reportDifference(deps, { ...found, subject, scope: `chain:${chain.name}` })
    } else if (isOpen) await deps.ledger.transaction((em) => deps.differences.close(em, 'wrong_fee', subject))
  }
}
