import type { FieldFailure } from '../../../kernel/errors.js'
import { isHttpUrl } from '../../../kernel/http-url.js'
import { percentProblem } from '../../../kernel/percent.js'
import { amountProblem } from '../../../terms/amount.js'
import type { DraftItem, DraftOrder, DraftReceiver, DraftSubscription } from './draft-order.js'
import type { OrderSettings } from './order-settings.js'

/** The last second of the year 9999: what lies above is milliseconds, sent by mistake. */
const LATEST_UNIX_SECONDS = 253_402_300_799

/** The largest number that the database's integers hold. */
const LARGEST_INTEGER = 2_147_483_647

/** What is wrong with the fields of a draft, each looked at by itself. Absent fields are left out. */
export function checkOrderFields(settings: OrderSettings, draft: DraftOrder): FieldFailure[] {
  const { enabledFiats } = settings
  const { fromCurrencySymbol, amountFrom, subscriptionPaymentConfig: subscription } = draft
  const amount = typeof amountFrom === 'string' ? amountProblem(amountFrom, fromCurrencySymbol) : undefined
  const isUnknownFiat = typeof fromCurrencySymbol === 'string' && !enabledFiats.includes(fromCurrencySymbol)
  return [
    ...filled('executorId', draft.executorId),
    ...when(isUnknownFiat, 'fromCurrencySymbol', `must be an enabled fiat currency: ${enabledFiats.join(', ')}`),
    ...when(amount !== undefined, 'amountFrom', amount ?? ''),
    ...filled('toCurrencySymbol', draft.toCurrencySymbol),
    ...(draft.orderItems ?? []).flatMap((item, index) => checkItem(`orderItems.${index}`, item)),
    ...(draft.splitPaymentConfig ?? []).flatMap((item, index) => checkReceiver(`splitPaymentConfig.${index}`, item)),
    ...(subscription ? checkSubscription('subscriptionPaymentConfig', subscription) : []),
  ]
}

function checkItem(path: string, item: DraftItem | null): FieldFailure[] {
  const imageUrl = item?.imageUrl ?? ''
  return [
    ...filled(`${path}.name`, item?.name),
    ...integer(`${path}.quantity`, item?.quantity, 1),
    // A page shows it, where another scheme may run as a script.
    ...when(imageUrl !== '' && !isHttpUrl(imageUrl), `${path}.imageUrl`, 'must be an absolute http or https URL'),
  ]
}

function checkReceiver(path: string, item: DraftReceiver | null): FieldFailure[] {
  const percent = item?.receiverPercent
  const problem = typeof percent === 'number' ? percentProblem(percent) : undefined
  return [
    ...filled(`${path}.receiverWallet`, item?.receiverWallet),
    ...when(problem !== undefined, `${path}.receiverPercent`, problem ?? ''),
  ]
}

function checkSubscription(path: string, { planName, nextPaymentAt, retryCount }: DraftSubscription): FieldFailure[] {
  const isNoTime =
    typeof nextPaymentAt === 'number' &&
    !(Number.isInteger(nextPaymentAt) && nextPaymentAt > 0 && nextPaymentAt <= LATEST_UNIX_SECONDS)
  return [
    ...filled(`${path}.planName`, planName),
    ...when(isNoTime, `${path}.nextPaymentAt`, 'must be a Unix timestamp in whole seconds'),
    ...integer(`${path}.retryCount`, retryCount, 0),
  ]
}

function filled(field: string, text: string | null | undefined): FieldFailure[] {
  return when(typeof text === 'string' && text.trim() === '', field, 'must not be empty')
}

function integer(field: string, value: number | null | undefined, minimum: number): FieldFailure[] {
  const isBad = typeof value === 'number' && !(Number.isInteger(value) && value >= minimum && value <= LARGEST_INTEGER)
  return when(isBad, field, `must be a whole number of at least ${minimum}`)
}

function when(isBad: boolean, field: string, message: string): FieldFailure[] {
  return isBad ? [{ field, message }] : []
}
