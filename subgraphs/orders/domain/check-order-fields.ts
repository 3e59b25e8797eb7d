import { failureWhen, type FieldFailure } from '../../../kernel/errors.js'
import { HTTP_URL, isHttpUrl, urlLengthProblem } from '../../../kernel/http-url.js'
import { termFailures, type TermsSettings } from '../../../terms/check-terms.js'
import { filled, integer, subscriptionFailures } from '../../../terms/subscription.js'
import type { DraftItem, DraftOrder } from './draft-order.js'

/** What is wrong with the fields of a draft, each looked at by itself. Absent fields are left out. */
export function checkOrderFields(settings: TermsSettings, draft: DraftOrder): FieldFailure[] {
  const { subscriptionPaymentConfig: subscription } = draft
  return [
    ...filled('executorId', draft.executorId),
    ...filled('toCurrencySymbol', draft.toCurrencySymbol),
    ...(draft.orderItems ?? []).flatMap((item, index) => checkItem(`orderItems.${index}`, item)),
    ...termFailures(settings, draft),
    ...(subscription ? subscriptionFailures('subscriptionPaymentConfig', subscription) : []),
  ]
}

function checkItem(path: string, item: DraftItem | null): FieldFailure[] {
  const { imageUrl } = item ?? {}
  return [
    ...filled(`${path}.name`, item?.name),
    ...integer(`${path}.quantity`, item?.quantity, 1),
    // A page shows it, where another scheme may run as a script.
    ...failureWhen(
      isNoPicture(imageUrl),
      `${path}.imageUrl`,
      () => urlLengthProblem(imageUrl ?? '') ?? `must be ${HTTP_URL}`,
    ),
  ]
}

/** An empty text says that there is none. */
function isNoPicture(imageUrl: string | null | undefined): boolean {
  return typeof imageUrl === 'string' && imageUrl !== '' && !isHttpUrl(imageUrl)
}
