import type { FieldFailure } from '../../../kernel/errors.js'
import { isHttpUrl } from '../../../kernel/http-url.js'
import { termFailures, type TermsSettings } from '../../../terms/check-terms.js'
import type { DraftItem, DraftOrder, DraftSubscription } from './draft-order.js'

/** The last second of the year 9999: what lies above is milliseconds, sent by mistake. */
const LATEST_UNIX_SECONDS = 253_402_300_799

/** The largest number that the database's integers hold. */
const LARGEST_INTEGER = 2_147_483_647

/** What is wrong with the fields of a draft, each looked at by itself. Absent fields are left out. */
export function checkOrderFields(settings: TermsSettings, draft: DraftOrder): FieldFailure[] {
  const { subscriptionPaymentConfig: subscription } = draft
  return [
    ...filled('executorId', draft.executorId),
    ...filled('toCurrencySymbol', draft.toCurrencySymbol),
    ...(draft.orderItems ?? []).flatMap((item, index) => checkItem(`orderItems.${index}`, item)),
    ...termFailures(settings, draft),
    ...(subscription ? checkSubscription('subscriptionPaymentConfig', subscription) : []),
  ]
}

function checkItem(path: string, item: DraftItem | null): FieldFailure[] {
  const { imageUrl } = item ?? {}
  return [
    ...filled(`${path}.name`, item?.name),
    ...integer(`${path}.quantity`, item?.quantity, 1),
    // A page shows it, where another scheme may run as a script.
    ...when(isNoPicture(imageUrl), `${path}.imageUrl`, 'must be an absolute http or https URL without credentials'),
  ]
}

function isNoPicture(imageUrl: string | null | undefined): boolean {
  return typeof imageUrl === 'string' && !isHttpUrl(imageUrl)
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
