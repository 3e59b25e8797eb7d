import { isPositive } from '../../../kernel/money.js'

/** One side of a movement; exactly one of `debit` and `credit` is above 0. */
export interface LedgerLine {
  account: string
  currency: string
  debit: string
  credit: string
}

/** A movement of money between accounts: for each currency the debits equal the credits. */
export interface LedgerEntry {
  /** Unique within its payment, so that a movement is booked once. */
  entry: string
  lines: readonly LedgerLine[]
}

/** An amount of a currency; a decimal string above 0. */
export interface Money {
  amount: string
  currency: string
}

/**
 * The accounts. What we hold is debited as it grows: `provider:<rail>` (fiat at the provider), `treasury:<chain>` (coins
 * and tokens on a chain), `treasury:exchange` (our position between fiat and crypto), `fees:<chain>` (gas spent),
 * `overpaid:<chain>` (what receivers got twice), `cost:<rail>` (what providers take for receiving), `bank`. What is ours is
 * credited: `revenue:fee`, `revenue:spread`, `revenue:gas`. What we owe is credited as it grows: `tenant`, `tenant:refunds` (what a
 * tenant has set aside for refunds), `refunds:<rail>` (what payers are about to get back).
 */
/** Exported for the reads of its balance. */
export const TENANT = 'tenant'
/** Exported for the look at what has passed it. */
export const BANK = 'bank'
/** Exported for the reads of its balance. */
export const REFUND_BALANCE = 'tenant:refunds'
/** Exported for the reads of its balance. */
export const GAS_REVENUE = 'revenue:gas'
const EXCHANGE = 'treasury:exchange'
const providerAccount = (rail: string): string => `provider:${rail}`
const refundsAccount = (rail: string): string => `refunds:${rail}`
const chainAccount = (chainName: string): string => `treasury:${chainName}`

/** Credits `from` and debits `to`. */
export function move(entry: string, from: string, to: string, money: Money): LedgerEntry {
  return { entry, lines: linesOf(from, to, money) }
}

/** The same of an amount that may be below 0, with a sign: so much has gone the other way. */
export function moveSigned(entry: string, from: string, to: string, { amount, currency }: Money): LedgerEntry {
  const money = { amount: amount.replace(/^-/, ''), currency }
  return amount.startsWith('-') ? move(entry, to, from, money) : move(entry, from, to, money)
}

function linesOf(from: string, to: string, { amount, currency }: Money): LedgerLine[] {
  return [
    { account: to, currency, debit: amount, credit: '0' },
    { account: from, currency, debit: '0', credit: amount },
  ]
}

/** A payer's money has come: the provider holds it, and it belongs to the tenant. */
export function receivedPaymentEntry(rail: string, receiptId: string, money: Money): LedgerEntry {
  return move(`receipt:${receiptId}`, TENANT, providerAccount(rail), money)
}

/** The tenant's fiat becomes crypto at the quoted rate. */
export function conversionEntry(receiptId: string, from: Money, to: Money): LedgerEntry {
  return {
    entry: `conversion:${receiptId}`,
    lines: [...linesOf(EXCHANGE, TENANT, from), ...linesOf(TENANT, EXCHANGE, to)],
  }
}

/** What the platform takes of a payer's money, by the terms of its quote. Fee and spread are separate lines. */
export function platformFeeEntries(receiptId: string, fee: Money, spread: Money): LedgerEntry[] {
  return [
    ...(isPositive(fee.amount) ? [move(`platform-fee:${receiptId}`, 'revenue:fee', TENANT, fee)] : []),
    ...(isPositive(spread.amount) ? [move(`spread:${receiptId}`, 'revenue:spread', TENANT, spread)] : []),
  ]
}

/** What a provider took for receiving a payment: it pays itself from what it holds for us. */
export function providerFeeEntry(rail: string, receiptId: string, money: Money): LedgerEntry {
  return move(`provider-fee:${receiptId}`, providerAccount(rail), `cost:${rail}`, money)
}

/**
 * What a provider keeps of one part of a received payment, by its list; below 0, with a sign, where it gives some of it back.
 * @param version from 1: what a fee changes by later is booked beside it
 */
export function payableFeeEntry(
  rail: string,
  { receiptId, id }: { receiptId: string; id: string },
  version: number,
  fee: Money,
): LedgerEntry {
  return moveSigned(`provider-fee:${receiptId}:${id}:${version}`, providerAccount(rail), `cost:${rail}`, fee)
}

/** Begins the name of `changedFeeEntry`. */
export const changedFeeName = (receiptId: string): string => `provider-fee:${receiptId}:changed:`

/** The provider has changed what it took for receiving a payment, by so much. @param number of the change, from 1 */
export function changedFeeEntry(rail: string, receiptId: string, number: number, more: Money): LedgerEntry {
  return moveSigned(`${changedFeeName(receiptId)}${number}`, providerAccount(rail), `cost:${rail}`, more)
}

/**
 * One share's part of the conversion is taken back, because the payer's money was taken back before its receiver was paid. Its
 * share of the fiat may be less than a cent.
 */
export function reversalEntry(receiptId: string, splitIndex: number, from: Money, to: Money): LedgerEntry {
  const fiat = isPositive(from.amount) ? linesOf(TENANT, EXCHANGE, from) : []
  return { entry: `reversal:${receiptId}:${splitIndex}`, lines: [...fiat, ...linesOf(EXCHANGE, TENANT, to)] }
}

/** Money went back to the payer. After a payout it leaves the tenant in our debt. */
export function refundEntry(rail: string, receiptId: string, returnId: string, money: Money): LedgerEntry {
  return move(`return:${receiptId}:${returnId}`, providerAccount(rail), TENANT, money)
}

/**
 * Money that the provider had shared out was taken back by force: from those of its recipients who are liable, so that nothing of ours
 * has moved.
 */
export function takenFromSplitEntry(rail: string, receiptId: string, returnId: string, money: Money): LedgerEntry {
  return move(`return:${receiptId}:${returnId}`, providerAccount(rail), providerAccount(rail), money)
}

/** They have won, and have it again. */
export function wonForSplitEntry(rail: string, receiptId: string, returnId: string, money: Money): LedgerEntry {
  return move(`won:${receiptId}:${returnId}`, providerAccount(rail), providerAccount(rail), money)
}

/** Money that was taken back by force has come again: the tenant has won. */
export function wonChargebackEntry(rail: string, receiptId: string, returnId: string, money: Money): LedgerEntry {
  return move(`won:${receiptId}:${returnId}`, TENANT, providerAccount(rail), money)
}

/** What the reserve's part of a payout goes by where a refund's goes by the refund's id. */
export const RESERVE = 'reserve'

/** Begins the name of the entry of what is taken off a payout; by what, and the payout's place in the split, are the rest. */
export const WITHHELD = 'withheld:'

/** The same of its reserve, which its place alone is the rest of. */
export const WITHHELD_RESERVE = `${WITHHELD}${RESERVE}:`

/** A part of a share's conversion is taken back for a refund, as its payout has not left; either amount may be nothing. */
export function withholdingEntry(refundId: string, splitIndex: number, from: Money, to: Money): LedgerEntry {
  const fiat = isPositive(from.amount) ? linesOf(TENANT, EXCHANGE, from) : []
  const crypto = isPositive(to.amount) ? linesOf(EXCHANGE, TENANT, to) : []
  return { entry: `${WITHHELD}${refundId}:${splitIndex}`, lines: [...fiat, ...crypto] }
}

/** What a refund takes of the fiat that its withheld payouts have left the tenant. */
export function refundFromPayoutsEntry(rail: string, refundId: string, money: Money): LedgerEntry {
  return move(`refund:${refundId}:payouts`, refundsAccount(rail), TENANT, money)
}

/** What a refund takes of what its tenant has set aside. */
export function refundFromBalanceEntry(rail: string, refundId: string, money: Money): LedgerEntry {
  return move(`refund:${refundId}:balance`, refundsAccount(rail), REFUND_BALANCE, money)
}

/** The provider that has shared a payment's money out takes a refund back from those who got it. */
export function refundFromSplitEntry(rail: string, refundId: string, money: Money): LedgerEntry {
  return move(`refund:${refundId}:split`, refundsAccount(rail), providerAccount(rail), money)
}

/** What of a refund the platform gives back of the fee that the provider had paid it. */
export function feeGivenBackEntry(rail: string, refundId: string, money: Money): LedgerEntry {
  return move(`refund:${refundId}:fee`, refundsAccount(rail), 'revenue:fee', money)
}

/** The refund has failed, and the platform has its fee. */
export function feeKeptEntry(rail: string, refundId: string, money: Money): LedgerEntry {
  return move(`refund:${refundId}:fee-kept`, 'revenue:fee', refundsAccount(rail), money)
}

/** A refund that was made is with the payer. */
export function refundDoneEntry(rail: string, receiptId: string, returnId: string, money: Money): LedgerEntry {
  return move(`return:${receiptId}:${returnId}`, providerAccount(rail), refundsAccount(rail), money)
}

/** A refund that was made has failed: the tenant has the money, for another try. */
export function refundFailedEntry(rail: string, refundId: string, money: Money): LedgerEntry {
  return move(`refund:${refundId}:failed`, REFUND_BALANCE, refundsAccount(rail), money)
}

/** A refund that the provider would have taken back from its split has failed: they keep it. */
export function splitRefundFailedEntry(rail: string, refundId: string, money: Money): LedgerEntry {
  return move(`refund:${refundId}:failed`, providerAccount(rail), refundsAccount(rail), money)
}

/** A share of what came is set aside for refunds. */
export function refundReserveEntry(receiptId: string, money: Money): LedgerEntry {
  return move(`reserve:${receiptId}`, REFUND_BALANCE, TENANT, money)
}

/** What came to an underpaid payment's address is given back: from what its tenant has set aside, by a payout. */
export function depositGivenBackEntry(money: Money): LedgerEntry {
  return move('deposit-given-back', TENANT, REFUND_BALANCE, money)
}

/** Begins the names of the entries of what passes by bank, which a reference is the rest of. */
export const BY_BANK = ['topup:', 'debt-paid:', 'paid-by-bank:', 'reserve-released:'] as const
const [TOP_UP, DEBT_PAID, PAID_BY_BANK, RESERVE_RELEASED] = BY_BANK

/** A tenant has paid in for refunds. @param reference once for each payment of it */
export function refundTopUpEntry(reference: string, money: Money): LedgerEntry {
  return move(`${TOP_UP}${reference}`, REFUND_BALANCE, BANK, money)
}

/** Begins the name of `recoveryEntry`. */
export const RECOVERY = 'recovered:'

/**
 * What a payment has left its tenant owing us is taken from what it has set aside for refunds; below 0, with a sign, where it is
 * given back there, as the tenant owes less.
 * @param number of the entry, from 1
 */
export function recoveryEntry(number: number, money: Money): LedgerEntry {
  return moveSigned(`${RECOVERY}${number}`, TENANT, REFUND_BALANCE, money)
}

/** A tenant has paid by bank what it owes us: of a payment, or of the gas of all. @param reference once for each payment of it */
export function debtPaidEntry(reference: string, money: Money): LedgerEntry {
  return move(`${DEBT_PAID}${reference}`, TENANT, BANK, money)
}

/** A tenant was paid by bank what it is owed of a payment. @param reference once for each payment of it */
export function paidByBankEntry(reference: string, money: Money): LedgerEntry {
  return move(`${PAID_BY_BANK}${reference}`, BANK, TENANT, money)
}

/** A tenant was paid by bank what it had set aside for refunds. @param reference once for each payment of it */
export function reserveReleasedEntry(reference: string, money: Money): LedgerEntry {
  return move(`${RESERVE_RELEASED}${reference}`, BANK, REFUND_BALANCE, money)
}

/** The provider passes a payer's money on to the tenant's receivers, in fiat. */
export function disbursementEntry(rail: string, receiptId: string, money: Money): LedgerEntry {
  return move(`disbursement:${receiptId}`, providerAccount(rail), TENANT, money)
}

/** A receiver was paid from the treasury. */
export function payoutEntry(splitIndex: number, chainName: string, money: Money): LedgerEntry {
  return move(`payout:${splitIndex}`, chainAccount(chainName), TENANT, money)
}

/** A receiver was paid from the treasury a second time: the money is ours, and an operator has to ask for it back. */
export function overpaymentEntry(hash: string, splitIndex: number, chainName: string, money: Money): LedgerEntry {
  return move(`overpaid:${hash}:${splitIndex}`, chainAccount(chainName), `overpaid:${chainName}`, money)
}

/**
 * A transaction has landed in another block than the one that its fee was booked for, at another price of gas.
 * @param number of the correction, from 1: a chain may come back to a block that it had left
 * @param more what it cost beyond what is booked; below zero, with a sign, where it cost less
 */
export function feeCorrectionEntry(hash: string, number: number, chainName: string, more: Money): LedgerEntry {
  return moveSigned(`fee:${hash}:${number}`, chainAccount(chainName), `fees:${chainName}`, more)
}

/** Gas was spent on a transaction: the payment's part of it. */
export function feeEntry(hash: string, chainName: string, money: Money): LedgerEntry {
  return move(`fee:${hash}`, chainAccount(chainName), `fees:${chainName}`, money)
}

/** A tenant that bears the gas of its payouts owes its part of what was spent. */
export function gasRecoveryEntry(hash: string, money: Money): LedgerEntry {
  return move(`gas:${hash}`, GAS_REVENUE, TENANT, money)
}

/** The same where the transaction has cost another amount in the end; see `feeCorrectionEntry`. */
export function gasRecoveryCorrectionEntry(hash: string, number: number, more: Money): LedgerEntry {
  return moveSigned(`gas:${hash}:${number}`, GAS_REVENUE, TENANT, more)
}
