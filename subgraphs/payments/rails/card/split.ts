import { splitShares } from '../../../../chains/shares.js'
import { percentText } from '../../../../kernel/percent.js'
import type { SplitReceiver } from '../../../../terms/split.js'

/** One recipient's part of a charge, as the processor takes it: flat cents. */
export interface SplitRule {
  type: 'flat'
  amount: number
  recipient_id: string
  options: { liable: boolean; charge_processing_fee: boolean; charge_remainder_fee: boolean }
}

/**
 * The split of a charge: exact decimal percentages as whole cents that sum to the total, by the largest remainder (the
 * processor takes whole percentages only). A recipient named twice gets one rule, a part of nothing none. The processor
 * wants at least one recipient liable, one that pays its fee and one that takes the remainder: where the receivers do not
 * say who, the first does.
 * @param receivers each with a recipient; percentages sum to 100
 * @param totalCents above 0
 */
export function splitRules(receivers: readonly SplitReceiver[], totalCents: bigint): SplitRule[] {
  const amounts = largestRemainders(
    totalCents,
    receivers.map(({ receiverPercent }) => percentText(receiverPercent)),
  )
  const rules = new Map<string, SplitRule>()
  for (const [index, { recipientId = '', liable, chargeProcessingFee }] of receivers.entries()) {
    const amount = Number(amounts[index] ?? 0n)
    if (amount === 0) continue
    const known = rules.get(recipientId)
    rules.set(recipientId, {
      type: 'flat',
      amount: amount + (known?.amount ?? 0),
      recipient_id: recipientId,
      options: {
        liable: liable === true || known?.options.liable === true,
        charge_processing_fee: chargeProcessingFee === true || known?.options.charge_processing_fee === true,
        charge_remainder_fee: false,
      },
    })
  }
  return withFlags([...rules.values()])
}

/**
 * The same of what a fee of the platform leaves; the platform's own recipient gets the fee and bears nothing else. Where it is one of
 * the receivers too, it has one rule.
 */
export function splitRulesWithFee(
  receivers: readonly SplitReceiver[],
  totalCents: bigint,
  fee: { recipientId: string; cents: bigint },
): SplitRule[] {
  const rules = splitRules(receivers, totalCents - fee.cents)
  const own = rules.find((rule) => rule.recipient_id === fee.recipientId)
  if (own) own.amount += Number(fee.cents)
  else {
    const options = { liable: false, charge_processing_fee: false, charge_remainder_fee: false }
    rules.push({ type: 'flat', amount: Number(fee.cents), recipient_id: fee.recipientId, options })
  }
  // The last cents of a refund may be the fee's alone.
  return rules.length === 1 ? withFlags(rules) : rules
}

function withFlags(rules: SplitRule[]): SplitRule[] {
  const [first] = rules
  if (!first) return rules
  if (!rules.some(({ options }) => options.liable)) first.options.liable = true
  if (!rules.some(({ options }) => options.charge_processing_fee)) first.options.charge_processing_fee = true
  const payer = rules.find(({ options }) => options.charge_processing_fee) ?? first
  payer.options.charge_remainder_fee = true
  return rules
}

/** Whole parts of a total by percentages: rounded down, then one more for the largest remainders, the first of equals first. */
function largestRemainders(total: bigint, percents: readonly string[]): bigint[] {
  const shares = splitShares(percents)
  const whole = shares.reduce((sum, share) => sum + share, 0n)
  const amounts = shares.map((share) => (total * share) / whole)
  const missing = total - amounts.reduce((sum, amount) => sum + amount, 0n)
  const byRemainder = shares
    .map((share, index) => ({ index, remainder: (total * share) % whole }))
    .sort((left, right) =>
      left.remainder === right.remainder ? left.index - right.index : left.remainder > right.remainder ? -1 : 1,
    )
  const raised = new Set(byRemainder.slice(0, Number(missing)).map(({ index }) => index))
  return amounts.map((amount, index) => (raised.has(index) ? amount + 1n : amount))
}
