import type { Chain } from '../../../chains/chain.js'
import { accountOpeningEntry, HOUSE, openingEntry } from '../model/house-entries.js'
import { amountOf, unitsOf } from '../model/signed-amount.js'
import type { LedgerEntry } from '../model/ledger-entries.js'
import type { BegunAccount } from '../store/begun-accounts.js'
import type { AuditedTreasury } from './audited-treasury.js'
import { betweenOurs } from './between-accounts.js'

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

/** What is booked when accounts begin to be compared, and from when on they are. */
export interface Opening {
  entries: readonly LedgerEntry[]
  begun: readonly BegunAccount[]
}

/** Writes it down, all or nothing: half of it would be opened again at another block. */
export async function writeOpening(
  { deps, chain }: Pick<AuditedTreasury, 'deps' | 'chain'>,
  { entries, begun }: Opening,
): Promise<void> {
  const { ledger, treasuryBooks, clock } = deps
  await ledger.transaction(async (em) => {
    for (const one of entries) {
      const isBooked = await ledger.isBooked(em, { ...HOUSE, entry: one.entry })
      if (!isBooked) await ledger.book(em, { ...HOUSE, at: clock.now() }, one)
    }
    for (const one of begun) await treasuryBooks.beginAccount(em, chain.name, one)
  })
}

/** What the accounts held at first, beyond what the books say: the owner's. @param booked in units of 10⁻¹⁸ */
export function openingEntries(
  { name }: Chain,
  held: HeldByAccount,
  booked: ReadonlyMap<string, bigint>,
): LedgerEntry[] {
  return [...togetherOf(held)].flatMap(([currency, units]) => {
    const amount = amountOf(units - (booked.get(currency) ?? 0n))
    return amount === '0' ? [] : [openingEntry(name, { amount, currency })]
  })
}

/**
 * What an account held when it came to those that are compared already: the owner's, but for what it has paid by then, and for what it had
 * from the others since they were compared last.
 * @param treasury with the account among its accounts, as it is to begin
 */
export async function accountOpening(
  treasury: AuditedTreasury,
  balances: ReadonlyMap<string, string>,
  { sharedFrom }: BegunAccount,
): Promise<LedgerEntry[]> {
  const { deps, chain, audit, of, block } = treasury
  const units = new Map([...balances].map(([currency, balance]) => [currency, unitsOf(balance)]))
  const take = (currency: string, amount: bigint): unknown => units.set(currency, (units.get(currency) ?? 0n) - amount)
  for (const { currency, amount } of await deps.treasuryBooks.bookedUpTo(of, block)) take(currency, unitsOf(amount))
  const transfers = sharedFrom < block ? await audit.transfers(chain, sharedFrom + 1, block) : []
  for (const transfer of await betweenOurs(treasury, of.account, transfers)) {
    const amount = unitsOf(transfer.amount)
    take(transfer.currency, transfer.direction === 'in' ? amount : -amount)
  }
  return [...units].flatMap(([currency, left]) => {
    const amount = amountOf(left)
    return amount === '0' ? [] : [accountOpeningEntry(chain.name, of.account, { amount, currency })]
  })
}
