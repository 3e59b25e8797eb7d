import { findToken, isReceiver, RECEIVERS_MAX } from '../../../chains/chain.js'
import type { FieldFailure } from '../../../kernel/errors.js'
import { percentProblem, sumToWhole } from '../../../kernel/percent.js'
import { methodsProblem, paysInFiatOnly } from '../../../terms/methods.js'
import { recipientFailures } from '../../../terms/split.js'
import type { DraftOrder } from './draft-order.js'
import type { OrderSettings } from './order-settings.js'

/** What is wrong between the fields of a draft. Rules of which a field is absent are left out. */
export function checkOrderRules(settings: OrderSettings, draft: DraftOrder): FieldFailure[] {
  return [
    ...checkMethods(draft),
    ...checkOnRamp(draft),
    ...checkSubscription(draft),
    ...checkDestination(settings, draft),
    ...checkCount(draft),
    ...checkSum(draft),
    ...checkReceivers(settings, draft),
    ...recipientFailures(draft.paymentMethodAllowed, draft.splitPaymentConfig),
  ]
}

function checkMethods({ paymentMethodAllowed: methods }: DraftOrder): FieldFailure[] {
  const message = methods ? methodsProblem(methods) : undefined
  return message === undefined ? [] : [{ field: 'paymentMethodAllowed', message }]
}

function checkOnRamp({ onRamp, paymentMethodAllowed }: DraftOrder): FieldFailure[] {
  if (!onRamp || !paymentMethodAllowed?.pixcrypto) return []
  return [{ field: 'onRamp', message: 'must be false for payments received by Pix' }]
}

function checkSubscription({ gatewayMethod, subscriptionPaymentConfig }: DraftOrder): FieldFailure[] {
  if (gatewayMethod !== 'subs' || subscriptionPaymentConfig) return []
  return [{ field: 'subscriptionPaymentConfig', message: 'is required for a subscription' }]
}

function checkDestination({ chains }: OrderSettings, { toChain, toCurrencySymbol }: DraftOrder): FieldFailure[] {
  if (typeof toChain !== 'string') return []
  const chain = chains.find(({ name }) => name === toChain)
  if (!chain) {
    return [{ field: 'toChain', message: `must be an enabled chain: ${chains.map(({ name }) => name).join(', ')}` }]
  }
  if (typeof toCurrencySymbol !== 'string' || findToken(chain, toCurrencySymbol)) return []
  return [{ field: 'toCurrencySymbol', message: `must be a token enabled on ${toChain}` }]
}

function checkCount({ splitPaymentConfig: split }: DraftOrder): FieldFailure[] {
  if (!split || split.length <= RECEIVERS_MAX) return []
  return [{ field: 'splitPaymentConfig', message: `must name at most ${RECEIVERS_MAX} receivers` }]
}

function checkSum({ splitPaymentConfig: split }: DraftOrder): FieldFailure[] {
  if (!split?.length) return []
  const percents = split.map((item) => item?.receiverPercent)
  const usable = percents
    .filter((percent) => typeof percent === 'number')
    .filter((percent) => percentProblem(percent) === undefined)
  // A share that is absent or bad is reported by itself; the sum would only say the same again.
  if (usable.length < percents.length || sumToWhole(usable)) return []
  return [{ field: 'splitPaymentConfig', message: 'the percentages must sum to exactly 100' }]
}

function checkReceivers(
  { chains }: OrderSettings,
  { splitPaymentConfig: split, toChain, paymentMethodAllowed: methods }: DraftOrder,
): FieldFailure[] {
  const chain = chains.find(({ name }) => name === toChain)
  // Money that a card pays out in fiat alone goes to recipient ids: the wallet is then only a label.
  if (!split || !chain || (methods && paysInFiatOnly(methods))) return []
  return split.flatMap((item, index) => {
    const wallet = item?.receiverWallet
    // An empty one is reported as such.
    if (typeof wallet !== 'string' || wallet.trim() === '' || isReceiver(chain, wallet)) return []
    return [
      { field: `splitPaymentConfig.${index}.receiverWallet`, message: `must be a receiver's address on ${chain.name}` },
    ]
  })
}
