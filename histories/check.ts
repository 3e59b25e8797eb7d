import { fromBaseUnits, sum, toBaseUnits } from '../kernel/money.js'
import { amountOf, unitsOf } from '../subgraphs/payments/model/signed-amount.js'
import { refundableAmount } from '../subgraphs/payments/model/refund-rules.js'
import { balanceOf } from './ledger.js'
import type { Tables } from './memory.js'
import type { World } from './world.js'

/** What a world at rest has to show; the books are compared with the provider's and the chain's own figures, not with each other. */
export function faultsOf(world: World): string[] {
  const { lines } = world.kept.memory.tables
  const currencies = [...new Set(lines.map(({ currency }) => currency))]
  const off = currencies.map(
    (currency) => [currency, total(lines.filter((line) => line.currency === currency))] as const,
  )
  return [
    ...off.flatMap(([currency, amount]) => (amount === '0' ? [] : [`the books are off by ${amount} ${currency}`])),
    ...againstProviders(world),
    ...againstChain(world),
    ...refundFaults(world),
    ...againstAddresses(world),
    ...paymentFaults(world),
  ]
}

function total(lines: readonly { debit: string; credit: string }[]): string {
  return amountOf(lines.reduce((units, { debit, credit }) => units + unitsOf(debit) - unitsOf(credit), 0n))
}

function differ(what: string, expected: string, is: string): string[] {
  return unitsOf(expected) === unitsOf(is) ? [] : [`${what}: expected ${expected}, is ${is}`]
}

const minus = (left: string, ...others: readonly string[]): string =>
  amountOf(others.reduce((units, other) => units - unitsOf(other), unitsOf(left)))

/**
 * What each provider holds for us, by its own figures. What the card processor has shared out is not ours but for our fee: refunds,
 * and what is gone by force, it takes back from those who got it.
 */
function againstProviders({ kept, pix, card }: World): string[] {
  const { tables } = kept.memory
  const { lines, payables } = tables
  const [ofPix, ofCard] = [pix.truth(), card.truth()]
  const feesOf = (some: typeof payables): string => amountOf(some.reduce((units, { fee }) => units + unitsOf(fee), 0n))
  const keptOfOurs = feesOf(payables.filter(({ isOurs }) => isOurs))
  const held = ofCard.orders.map(({ reference, received, returned, taken }) =>
    isSharedOut(tables, reference) ? feeLeft(tables, reference) : minus(received, returned, taken),
  )
  const owed = amountOf(held.reduce((units, one) => units + unitsOf(one), 0n) - unitsOf(keptOfOurs))
  return [
    ...differ(
      'what the Pix provider holds',
      minus(ofPix.received, ofPix.returned),
      balanceOf(lines, 'provider:pix', 'BRL'),
    ),
    ...differ('what the card processor owes', owed, balanceOf(lines, 'provider:card', 'BRL')),
    ...differ('what it keeps of ours', keptOfOurs, balanceOf(lines, 'cost:card', 'BRL')),
    ...differ('what it keeps, by the list', ofCard.kept, feesOf(payables)),
  ]
}

/** What the platform has left of its fee of a payment that the processor has shared out: nothing where all of it went back. */
function feeLeft({ charges, receipts, refunds }: Tables, id: string): string {
  const received = receipts.find(({ paymentId, outcome }) => paymentId === id && outcome === 'accepted')
  const back = refunds.filter(
    ({ receiptId, status, forced }) => receiptId === received?.id && status === 'done' && !forced,
  )
  const isAll = received?.amount === amountOf(back.reduce((units, { amount }) => units + unitsOf(amount), 0n))
  if (isAll) return '0'
  const fee = charges.find(({ paymentId }) => paymentId === id)?.platformFee ?? '0'
  return minus(fee, ...back.map(({ platformFee }) => platformFee ?? '0'))
}

/** Whether the processor has shared a payment's money out; what came too late for it goes back. */
function isSharedOut({ payments, receipts }: Tables, id: string): boolean {
  const isFiat = payments.some((one) => one.id === id && one.transactionType === 'cardfiat')
  return isFiat && receipts.some(({ paymentId, outcome }) => paymentId === id && outcome === 'accepted')
}

function againstChain({ kept, chain }: World): string[] {
  const { tables } = kept.memory
  const { lines, payouts, legs } = tables
  const received = chain.received()
  const sent = [...received.values()].reduce((units, one) => units + one, 0n)
  const unsent = sum(
    payouts.filter(({ state }) => state !== 'confirmed' && state !== 'cancelled').map(({ amount }) => amount),
  )
  return [
    ...differ(
      'what the treasury has paid',
      fromBaseUnits(sent, 6),
      minus('0', balanceOf(lines, 'treasury:polygon', 'USDT')),
    ),
    ...differ(
      'what transactions have cost',
      fromBaseUnits(chain.spent(), 18),
      minus('0', balanceOf(lines, 'treasury:polygon', 'POL')),
    ),
    // What a tenant is owed in tokens is what its receivers are still to get, and nothing else.
    ...differ('tokens of the tenant', unsent, minus('0', balanceOf(lines, 'tenant', 'USDT'))),
    ...payouts.flatMap(({ receiver, state, amount, paymentId, splitIndex }) => {
      const got = fromBaseUnits(received.get(receiver) ?? 0n, 6)
      const signed = legs.filter((leg) => leg.paymentId === paymentId && leg.splitIndex === splitIndex)
      if (unitsOf(got) > signed.reduce((most, leg) => (unitsOf(leg.amount) > most ? unitsOf(leg.amount) : most), 0n))
        return [`receiver ${receiver} got ${got}: more than one transaction has paid him`]
      const over = balanceOf(
        lines.filter((line) => line.paymentId === paymentId),
        'overpaid:polygon',
        'USDT',
      )
      const due = state === 'confirmed' ? amount : '0'
      return over === '0' ? differ(`receiver ${receiver} of a payout that is ${state}`, due, got) : []
    }),
    ...exchangeFaults(tables),
  ]
}

/** What was converted and stays so is worth, at the quoted rate, what receivers got or are to get: within a cent for each part. */
function exchangeFaults({ lines, payments, payouts, quotes }: Tables): string[] {
  return payments.flatMap(({ id, quoteId }) => {
    const quote = quotes.find((one) => one.id === quoteId)
    const ours = lines.filter(({ paymentId }) => paymentId === id)
    const fiat = -unitsOf(balanceOf(ours, 'treasury:exchange', 'BRL'))
    const tokens = unitsOf(balanceOf(ours, 'treasury:exchange', 'USDT'))
    if (!quote) return []
    const entries = new Set(ours.map(({ entry }) => entry)).size
    const worth = ((tokens * 10n ** 12n) / unitsOf(quote.rate)) * 10n ** 6n
    const parts = BigInt(payouts.filter(({ paymentId }) => paymentId === id).length * entries + 1)
    const apart = fiat > worth ? fiat - worth : worth - fiat
    return apart <= parts * unitsOf('0.01')
      ? []
      : [`payment ${id} converted ${amountOf(fiat)} for ${amountOf(tokens)}, which is off by ${amountOf(apart)}`]
  })
}

/**
 * Refunds that have not come to an end. One of ours whose money a chargeback has taken before waits for ever, and an operator is
 * told: should the chargeback be won, the money is the payer's again.
 */
export function openRefunds({ refunds, receipts }: Pick<Tables, 'refunds' | 'receipts'>) {
  const isOvertaken = (refund: (typeof refunds)[number]): boolean => {
    const received = receipts.find(({ id }) => id === refund.receiptId)
    const others = refunds.filter((one) => one !== refund)
    const isForced = others.some(({ receiptId, forced }) => receiptId === refund.receiptId && forced)
    return isForced && received !== undefined && refundableAmount(received, others) === '0'
  }
  return refunds.filter(
    (one) => one.status !== 'done' && one.status !== 'refused' && !(one.origin === 'service' && isOvertaken(one)),
  )
}

/** Nothing is on its way back, and nobody has set aside less than nothing. */
function refundFaults({ kept }: World): string[] {
  const { tables } = kept.memory
  const { lines } = tables
  const reserve = unitsOf(balanceOf(lines, 'tenant:refunds', 'BRL'))
  return [
    ...['pix', 'card'].flatMap((rail) =>
      differ(`refunds of ${rail} on their way`, '0', balanceOf(lines, `refunds:${rail}`, 'BRL')),
    ),
    ...(reserve < 0n ? debtsOf(tables) : []),
    ...(reserve > 0n ? [`the tenant has ${amountOf(-reserve)} for refunds`] : []),
    ...openRefunds(tables).map(({ id, status }) => `refund ${id} is ${status} for ever`),
  ]
}

/** Payments whose money has gone back, and that have left the tenant owing while it has something set aside. */
function debtsOf({ lines, payments }: Tables): string[] {
  return payments.flatMap(({ id }) => {
    const owed = unitsOf(
      balanceOf(
        lines.filter(({ paymentId }) => paymentId === id),
        'tenant',
        'BRL',
      ),
    )
    return owed > 0n ? [`payment ${id} has left the tenant owing ${amountOf(owed)}`] : []
  })
}

function paymentFaults({ kept }: World): string[] {
  const { payments, payouts, receipts } = kept.memory.tables
  return payments.flatMap(({ id, status }) => {
    const ours = payouts.filter(({ paymentId }) => paymentId === id)
    const isOpen = ours.some(({ state }) => state === 'held' || state === 'waiting' || state === 'sending')
    const isAccepted = receipts.some((one) => one.paymentId === id && one.outcome === 'accepted')
    if (status === 'pending' && isAccepted && !isOpen) return [`payment ${id} is pending, and nothing of it is`]
    if (status === 'pending' && !isAccepted && receipts.some((one) => one.paymentId === id))
      return [`payment ${id} is pending, and its money went back`]
    return []
  })
}

/** The least that is shared out to a receiver: of less nobody is told before more comes. */
const LEAST = 50_000n

/** What receivers have got of what came to payments' addresses, and what lies there, by the chain. */
function againstAddresses({ kept, deposits }: World): string[] {
  const { payments, lines } = kept.memory.tables
  return payments
    .filter(({ transactionType }) => transactionType === 'crypto')
    .flatMap(({ id, status, dataError, amountTo }) => {
      const ours = lines.filter(({ paymentId }) => paymentId === id)
      const passed = ours.filter(({ account, credit }) => account === 'passthrough:polygon' && unitsOf(credit) > 0n)
      const shared = toBaseUnits(amountOf(passed.reduce((units, { credit }) => units + unitsOf(credit), 0n)), 6)
      const held = toBaseUnits(balanceOf(ours, 'deposits:polygon', 'USDT'), 6)
      const [got, lies] = [deposits.received(id), deposits.balanceOf(id)]
      const isGivenBack = dataError?.code === 'refunded'
      // Of a whole that the chain has dropped since, what is there may be shared out before that is seen: the rest is waited for.
      const isSettled = status === 'success' || isGivenBack
      const isWhole = got + lies >= toBaseUnits(amountTo ?? '0', 6)
      return [
        ...differ('what passes through us', '0', balanceOf(ours, 'passthrough:polygon', 'USDT')),
        ...(got !== shared && (isSettled || got < shared)
          ? [`payment ${id}: its receivers got ${got}, ${shared} is booked`]
          : []),
        ...(held !== 0n && held !== lies ? [`payment ${id}: ${lies} lies at its address, ${held} is booked`] : []),
        ...(isGivenBack && held === 0n && lies >= LEAST
          ? [`payment ${id}: nobody knows of ${lies} at its address`]
          : []),
        ...(isWhole && !isGivenBack && status !== 'success' ? [`payment ${id} is ${status}, and the whole came`] : []),
      ]
    })
}
