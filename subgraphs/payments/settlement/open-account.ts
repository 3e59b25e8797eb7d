import { accountOpeningEntry, HOUSE, openingEntry } from '../model/house-entries.js'
import { amountOf, unitsOf } from '../model/signed-amount.js'
import { isBetweenOurs } from './audited-accounts.js'
import type { BegunAccount } from '../store/treasury-books.js'
import type { AuditedTreasury } from './audited-treasury.js'

/** What accounts held at a block: decimal strings by account and currency. */
export type HeldByAccount = ReadonlyMap<string, ReadonlyMap<string, string>>

/** What all accounts hold together, in units of 10⁻¹⁸. */
export function togetherOf(held: HeldByAccount): Map<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const balances of held.values()) {
    for (const [currency, balance] of balances) sums.set(currency, (sums.get(currency) ?? 0n) + unitsOf(balance))
  }
  return sums
}

/** Books what the accounts held at first, beyond what the books say, as the owner's. @param booked in units of 10⁻¹⁸ */
export async function bookOpening(
  { deps, chain }: Pick<AuditedTreasury, 'deps' | 'chain'>,
  held: HeldByAccount,
  booked: ReadonlyMap<string, bigint>,
): Promise<void> {
  for (const [currency, units] of togetherOf(held)) {
    const amount = amountOf(units - (booked.get(currency) ?? 0n))
    if (amount === '0') continue
    await deps.ledger.bookOnce({ ...HOUSE, at: deps.clock.now() }, openingEntry(chain.name, { amount, currency }))
  }
}

/**
 * Books what an account held when it came to those that are compared already: the owner's, but for what it has paid by then, and for what
 * it had from the others since they were compared last.
 * @param sharedFrom up to which block the others were compared
 */
export async function bookAccountOpening(
  { deps, chain, audit, of, accounts, block }: AuditedTreasury,
  balances: ReadonlyMap<string, string>,
  sharedFrom: number,
): Promise<BegunAccount> {
  const units = new Map([...balances].map(([currency, balance]) => [currency, unitsOf(balance)]))
  const take = (currency: string, amount: bigint): unknown => units.set(currency, (units.get(currency) ?? 0n) - amount)
  for (const { currency, amount } of await deps.treasuryBooks.bookedUpTo(of, block)) take(currency, unitsOf(amount))
  const transfers = sharedFrom < block ? await audit.transfers(chain, sharedFrom + 1, block) : []
  for (const transfer of transfers.filter((one) => isBetweenOurs(accounts, one))) {
    const amount = unitsOf(transfer.amount)
    take(transfer.currency, transfer.direction === 'in' ? amount : -amount)
  }
  for (const [currency, left] of units) {
    const amount = amountOf(left)
    if (amount === '0') continue
    const entry = accountOpeningEntry(chain.name, of.account, { amount, currency })
    await deps.ledger.bookOnce({ ...HOUSE, at: deps.clock.now() }, entry)
  }
  return { account: of.account, firstBlock: block, sharedFrom }
}
