import type { SplitReceiver } from '../../../../terms/split.js'
import { sharesByPercent } from '../../model/receiver-shares.js'

/** One recipient's part of a charge, as the processor takes it: flat cents. */
export interface SplitRule {
  type: 'flat'
  amount: number
  recipient_id: string
  options: { liable: boolean; charge_processing_fee: boolean; charge_remainder_fee: boolean }
}

/**
 * The split of a charge: exact decimal percentages as whole cents that sum to the total, by the largest remainder (the
 * processor takes whole percentages only).
 * @param receivers each with a recipient; percentages sum to 100
 * @param totalCents above 0
 */
export function splitRules(receivers: readonly SplitReceiver[], totalCents: bigint): SplitRule[] {
  return rulesOf(receivers, sharesByPercent(receivers, totalCents))
}

/**
 * The rules by which each receiver has its amount, in cents. A recipient named twice gets one rule, a part of nothing none. The processor
 * wants at least one recipient liable, one that pays its fee and one that takes the remainder: where the receivers do not
 * say who, the first does.
 */
export function rulesOf(receivers: readonly SplitReceiver[], amounts: readonly bigint[]): SplitRule[] {
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

/** The split of what a fee of the platform leaves, and of the fee. */
export function splitRulesWithFee(
  receivers: readonly SplitReceiver[],
  totalCents: bigint,
  fee: { recipientId: string; cents: bigint },
): SplitRule[] {
  return withFee(splitRules(receivers, totalCents - fee.cents), fee)
}

/**
 * The receivers' rules and the fee's: the platform's own recipient gets the fee and bears nothing else. Where it is one of
 * the receivers too, it has one rule.
 */
export function withFee(rules: SplitRule[], fee: { recipientId: string; cents: bigint }): SplitRule[] {
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
