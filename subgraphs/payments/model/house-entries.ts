import { move, moveSigned, TENANT, type LedgerEntry, type Money } from './ledger-entries.js'

/** What stands in lines that belong to the deployment itself: to no tenant and no payment. */
export const HOUSE = { tenantId: '-', paymentId: '-' } as const

/**
 * Accounts of the deployment beside those of `ledger-entries.ts`: `suspense:<place>` (money that moved and that nobody can
 * explain yet; credited with what came, debited with what went), `passthrough:<chain>` (what wallets pay receivers directly:
 * it is empty after each payment), `deposits:<chain>` (what lies at payments' own addresses and they do not take), `gas-payer:<chain>` (the coin of the account that shares splits out), `owner` (what the
 * deployment's owner has put in, less what was taken out) and `loss:payout`.
 */
/** Where money stands that nobody can explain yet: a rail's name, or a chain's. */
export const suspenseAccount = (place: string): string => `suspense:${place}`

/**
 * A wallet has paid a payment's receivers directly: nothing of it was ever ours, so every account is as before. One entry for
 * what the payer paid and one for each receiver's share, so that statements show them.
 * @param shares what each receiver got, by its place in the split
 * @param suffix tells what came later to the payment's address from what came first
 */
export function walletPaymentEntries(
  chainName: string,
  paid: Money,
  shares: readonly { splitIndex: number; amount: string }[],
  suffix = '',
): LedgerEntry[] {
  const passthrough = `passthrough:${chainName}`
  const { currency } = paid
  return [
    move(`wallet${suffix && `:paid${suffix}`}`, TENANT, passthrough, paid),
    ...shares.map(({ splitIndex, amount }) =>
      move(`wallet:${splitIndex}${suffix}`, passthrough, TENANT, { amount, currency }),
    ),
  ]
}

/** What the name of an entry, and the subject of a difference, of the gas payer has. */
export const GAS_PAYER_PLACE = 'gas-payer'

/** The name of the entry of a transfer that no payment explains: it is booked once, as the owner's or into suspense. */
export const transferEntryName = (hash: string, logIndex: number): string => `transfer:${hash}:${logIndex}`

/** The same of coins that went to or from an account of the treasury beside its first one. */
export const accountCoinEntryName = (hash: string, account: string): string => `transfer:${hash}:coin:${account}`

/** A provider has received money that belongs to no charge of ours. */
export function unmatchedEntry(rail: string, receiptId: string, money: Money): LedgerEntry {
  return move(`unmatched:${rail}:${receiptId}`, suspenseAccount(rail), `provider:${rail}`, money)
}

/** Begins the name of `unmatchedReturnEntry`. */
export const unmatchedReturnName = (rail: string, receiptId: string): string => `unmatched-return:${rail}:${receiptId}:`

/**
 * A provider has sent back money that belonged to no charge of ours; below 0, with a sign, where some of it has come again.
 * @param id of the provider's, or a number from 1 on where it names none
 */
export function unmatchedReturnEntry(rail: string, receiptId: string, id: string, money: Money): LedgerEntry {
  const entry = `${unmatchedReturnName(rail, receiptId)}${id}`
  return moveSigned(entry, `provider:${rail}`, suspenseAccount(rail), money)
}

/** It belongs to a charge after all, which books it itself. @param money what stood in suspense for it */
export function matchedEntry(rail: string, receiptId: string, money: Money): LedgerEntry {
  return move(`matched:${rail}:${receiptId}`, `provider:${rail}`, suspenseAccount(rail), money)
}

/** What an account held when it was first compared with its chain, beyond what the books say: the owner's. May be below 0. */
export function openingEntry(chainName: string, money: Money): LedgerEntry {
  return ownerEntry(`opening:${chainName}:${money.currency}`, `treasury:${chainName}`, money)
}

/** The same of an account that came to others that were compared already. */
export function accountOpeningEntry(chainName: string, account: string, money: Money): LedgerEntry {
  return ownerEntry(`opening:${chainName}:${money.currency}:${account}`, `treasury:${chainName}`, money)
}

/** The same of the account that pays the gas of splits. */
export function gasPayerOpeningEntry(chainName: string, money: Money): LedgerEntry {
  return ownerEntry(`opening:${GAS_PAYER_PLACE}:${chainName}:${money.currency}`, `gas-payer:${chainName}`, money)
}

/** Something was put into an account, or taken out of it, that is nobody's payment. */
function ownerEntry(entry: string, account: string, money: Money): LedgerEntry {
  return moveSigned(entry, 'owner', account, money)
}

/** The treasury has moved something in a transaction that is not ours, and nobody has explained yet. */
export function unknownTransferEntry(
  chainName: string,
  { hash, logIndex, direction }: { hash: string; logIndex: number; direction: 'in' | 'out' },
  money: Money,
): LedgerEntry {
  const [suspense, treasury] = [suspenseAccount(chainName), `treasury:${chainName}`]
  const entry = transferEntryName(hash, logIndex)
  return direction === 'in' ? move(entry, suspense, treasury, money) : move(entry, treasury, suspense, money)
}

/**
 * The owner has put something into one of our accounts, or taken it out, in a transaction that an operator has named.
 * @param account `treasury:<chain>` or `gas-payer:<chain>`
 */
export function ownerTransferEntry(
  account: string,
  entry: string,
  { direction, amount, currency }: Money & { direction: 'in' | 'out' },
): LedgerEntry {
  return ownerEntry(entry, account, { amount: direction === 'in' ? amount : `-${amount}`, currency })
}

/** Something lies at a payment's own address and the payment does not take it: it was paid by another way, or is over. */
export function heldEntry(chainName: string, hash: string, money: Money): LedgerEntry {
  return move(`held:${hash}`, suspenseAccount(chainName), `deposits:${chainName}`, money)
}

/**
 * It lies there no more: somebody has shared it out to the payment's receivers, the only ones whom the address pays.
 * @param difference as in `explainedEntry`
 */
export function sharedOutEntry(difference: string, chainName: string, money: Money): LedgerEntry {
  return move(`shared:${difference}`, `deposits:${chainName}`, suspenseAccount(chainName), money)
}

/** A payout that is booked is not on its chain: the treasury has the money still, and somebody is owed it. */
export function missingPayoutEntry(
  chainName: string,
  { paymentId, splitIndex, blockNumber }: { paymentId: string; splitIndex: number; blockNumber: number },
  money: Money,
): LedgerEntry {
  const entry = `missing:${paymentId}:${splitIndex}:${blockNumber}`
  return move(entry, suspenseAccount(chainName), `treasury:${chainName}`, money)
}

/** It is there after all, in another block. */
export function foundPayoutEntry(
  chainName: string,
  { paymentId, splitIndex, blockNumber }: { paymentId: string; splitIndex: number; blockNumber: number },
  money: Money,
): LedgerEntry {
  const entry = `found:${paymentId}:${splitIndex}:${blockNumber}`
  return move(entry, `treasury:${chainName}`, suspenseAccount(chainName), money)
}

/** The owner's; lost; or a tenant's, which paid it in for refunds and is credited with it already. */
type ExplainedTo = 'owner' | 'loss:payout' | 'bank'

/**
 * What stands in suspense has been explained: whose it is.
 * @param difference names what was explained, once for each time that it was found
 */
export function explainedEntry(difference: string, place: string, to: ExplainedTo, money: Money): LedgerEntry {
  // Suspense is credited with what came: what is explained as having come is debited there.
  return moveSigned(`explained:${difference}`, to, suspenseAccount(place), money)
}

/**
 * What a treasury or a gas payer holds beyond its books, or less, has been explained; the amount may be below 0.
 * @param difference as in `explainedEntry`
 * @param account `treasury:<chain>` or `gas-payer:<chain>`
 */
export function correctedBalanceEntry(difference: string, account: string, to: ExplainedTo, money: Money): LedgerEntry {
  return moveSigned(`corrected:${difference}`, to, account, money)
}

/** What a transaction of the gas payer has cost. */
export function gasPayerFeeEntry(hash: string, chainName: string, money: Money): LedgerEntry {
  return move(`gas:${hash}`, `gas-payer:${chainName}`, `fees:${chainName}`, money)
}
