import { percentNumber } from '../../kernel/percent.js'
import { unixSecondsOf } from '../../kernel/unix-seconds.js'
import type { SentReceiver } from '../split.js'
import type { SentSubscription } from '../subscription.js'

/** Terms with what the rules and the database have as numbers, and GraphQL as texts: percentages are `Decimal`, a date is `DateTime`. */
interface NumberedTerms {
  splitPaymentConfig?: readonly (SentReceiver | null | undefined)[] | null | undefined
  subscriptionPaymentConfig?: SentSubscription | null | undefined
}

/** Terms as GraphQL reads them. */
export type GraphTerms<Terms> = {
  [Field in keyof Terms]: Field extends keyof NumberedTerms ? WithTexts<Terms[Field]> : Terms[Field]
}

type WithTexts<Part> = Part extends readonly (infer Item)[]
  ? readonly WithTexts<Item>[]
  : Part extends object
    ? { [Field in keyof Part]: Field extends 'receiverPercent' | 'nextPaymentAt' ? AsText<Part[Field]> : Part[Field] }
    : Part

type AsText<Value> = Value extends number ? string : Value

/**
 * Makes the numbers of terms of the texts that GraphQL has for them. What is absent stays so. A percentage that no number stands
 * for exactly is NaN, and a date between two seconds no whole number: the rules refuse both.
 */
export function readTerms<Terms extends NumberedTerms>(sent: GraphTerms<Terms>): Terms {
  const { splitPaymentConfig: split, subscriptionPaymentConfig: subscription } = sent as GraphTerms<NumberedTerms>
  const terms = {
    ...sent,
    ...(split && { splitPaymentConfig: split.map(withNumbers) }),
    ...(subscription && { subscriptionPaymentConfig: withNumbers(subscription) }),
  }
  return terms as unknown as Terms
}

function withNumbers<Part extends object | null | undefined>(part: Part): Part {
  const { receiverPercent: percent, nextPaymentAt: at } = (part ?? {}) as Record<string, unknown>
  return (
    part && {
      ...part,
      ...(typeof percent === 'string' && { receiverPercent: percentNumber(percent) }),
      ...(typeof at === 'string' && { nextPaymentAt: unixSecondsOf(at) }),
    }
  )
}
