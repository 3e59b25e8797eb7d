import { findToken } from '../../../chains/chain.js'
import { minPayout } from '../../../chains/min-payout.js'
import { fromBaseUnits, isPositive, subtract, sum, toBaseUnits } from '../../../kernel/money.js'
import { REFUNDED } from '../model/attempt-rules.js'
import type { EnabledChains } from '../model/chain-access.js'
import { withholdingEntry, type LedgerEntry, type Money } from '../model/ledger-entries.js'
import { paymentFailure } from '../model/payment-failure.js'
import { FIAT_DECIMALS, inProportion } from '../model/proportion.js'
import type { Payment, PaymentChange } from '../store/payment.entity.js'
import type { Payout } from '../store/payout.entity.js'

/** What a refund is taken off. */
export interface Withholding {
  /** Of the refund, what payouts that have not left cover; a decimal string. */
  covered: string
  entries: LedgerEntry[]
}

/**
 * Takes a refund off a payment's payouts: each bears its part, in proportion to what is left of it. What has left, or may
 * have, is only counted, and so is what a payout would be too small without: somebody else has to pay that. Under the
 * payment's row lock, with the payouts locked; changes them.
 */
export function withholdPayouts(
  deps: EnabledChains,
  payouts: readonly Payout[],
  refund: Money & { id: string },
): Withholding {
  const left = payouts.map(({ fiatAmount }) => toBaseUnits(fiatAmount, FIAT_DECIMALS))
  const wanted = toBaseUnits(refund.amount, FIAT_DECIMALS)
  const all = left.reduce((total, cents) => total + cents, 0n)
  const parts = inProportion(wanted < all ? wanted : all, left)
  const covered: string[] = []
  const entries: LedgerEntry[] = []
  for (const [place, payout] of payouts.entries()) {
    const [part, whole] = [parts[place] ?? 0n, left[place] ?? 0n]
    if (part === 0n) continue
    const converted = convertedFiatOf(payout)
    payout.convertedFiat = converted
    payout.fiatAmount = fromBaseUnits(whole - part, FIAT_DECIMALS)
    const own = isUnsent(payout) ? coverable(deps, payout, { part, whole }) : 0n
    if (own === 0n) continue
    // Of its conversion as much is taken back as of its tokens; what a refund before has cost somebody else is the tenant's.
    const back = fromBaseUnits((toBaseUnits(converted, FIAT_DECIMALS) * own) / whole, FIAT_DECIMALS)
    payout.convertedFiat = subtract(converted, back)
    const cut = cutPayout(deps, payout, { part: own, whole })
    covered.push(fromBaseUnits(own, FIAT_DECIMALS))
    const fiat = { amount: back, currency: refund.currency }
    entries.push(withholdingEntry(refund.id, payout.splitIndex, fiat, { amount: cut, currency: payout.symbol }))
  }
  return { covered: sum(covered), entries }
}

/**
 * Whether a payout is held because of its transaction: nobody can prove what became of it, or an operator has cancelled it. Who lets it go
 * decides about the transaction.
 */
export function isHeldByTransaction(payout: Payout): boolean {
  return isUnproven(payout) || (payout.state === 'held' && payout.holdReason === 'cancelled')
}

/**
 * Whether a payout may have been paid by its transaction, of which nobody can prove what became. What an operator's cancellation holds has
 * surely not: it is held only once that is proven. Before reasons were kept nobody noted which of the two it was.
 */
function isUnproven({ state, holdReason }: Payout): boolean {
  return state === 'held' && (holdReason ?? 'unproven') === 'unproven'
}

/** Whether a payout has surely not left: no transaction of it is on its way, or may have paid it. */
export function isUnsent(payout: Payout): boolean {
  return payout.state === 'waiting' || (payout.state === 'held' && !isUnproven(payout))
}

/** The fiat that a payout's tokens were converted for. */
export function convertedFiatOf({ convertedFiat, fiatAmount }: Payout): string {
  return convertedFiat ?? fiatAmount
}

/**
 * As much of a payout's part of a refund as leaves it an amount that Solana takes: less than the rent of the receiver's account is refused
 * for ever. All of it where nothing is left.
 */
function coverable(
  { settings }: EnabledChains,
  { chainName, symbol, amount }: Payout,
  { part, whole }: { part: bigint; whole: bigint },
): bigint {
  const chain = settings.chains.find(({ name }) => name === chainName)
  const asset = chain && findToken(chain, symbol)
  if (chain?.family !== 'solana' || !asset || part === whole) return part
  const units = toBaseUnits(amount, asset.decimals)
  const limits = minPayout(chain, symbol)
  const toNewAccount = toBaseUnits(limits.toNewAccount, asset.decimals)
  // Who gets less than that from the first has an account: it was there before the payer was charged.
  const kept = units >= toNewAccount ? toNewAccount : toBaseUnits(limits.amount, asset.decimals)
  const most = units > kept ? whole - (whole * kept + units - 1n) / units : 0n
  return part < most ? part : most
}

/** Returns how much less the receiver gets, of the token. */
function cutPayout(deps: EnabledChains, payout: Payout, { part, whole }: { part: bigint; whole: bigint }): string {
  const decimals = decimalsOf(deps, payout)
  const units = toBaseUnits(payout.amount, decimals)
  const cut = fromBaseUnits((units * part) / whole, decimals)
  payout.amount = subtract(payout.amount, cut)
  payout.withheld = sum([payout.withheld, cut])
  // A transaction that was signed for the former amount and is not written down yet must not be sent any more. What is held has none.
  if (payout.state === 'waiting') payout.attempt += 1
  if (!isPositive(payout.amount)) payout.state = 'cancelled'
  return cut
}

/** Of a chain that is not enabled any more, as many as the amount has: nothing is sent there. */
function decimalsOf({ settings }: EnabledChains, { chainName, symbol, amount }: Payout): number {
  const chain = settings.chains.find(({ name }) => name === chainName)
  const asset = chain && findToken(chain, symbol)
  return asset?.decimals ?? amount.split('.')[1]?.length ?? 0
}

/** Whether a refund has taken all of a payout, so that nobody waits for it. */
export function isWithheld({ amount }: Payout): boolean {
  return !isPositive(amount)
}

/** The change by which a payment ends whose last payouts a refund has taken; undefined where some are still to come. */
export function endAfterWithholding({ status }: Payment, payouts: readonly Payout[]): PaymentChange | undefined {
  const others = payouts.filter((payout) => !isWithheld(payout))
  if (status !== 'pending' || payouts.length === 0 || others.some(({ state }) => state !== 'confirmed'))
    return undefined
  const [first] = others
  if (first) return { status: 'success', tidHash: first.hash ?? null }
  const message = 'The payer was refunded before the receivers were paid.'
  return { status: 'error', dataError: paymentFailure(REFUNDED, message) }
}
