import { failureWhen, type FieldFailure } from '../kernel/errors.js'
import { isUnixSeconds } from '../kernel/unix-seconds.js'

/** The largest number that the database's integers hold. */
const LARGEST_INTEGER = 2_147_483_647

/** A subscription's terms as a caller sends them; each may be absent. */
export interface SentSubscription {
  planName?: string | null | undefined
  /** Unix seconds. */
  nextPaymentAt?: number | null | undefined
  retryCount?: number | null | undefined
}

/** What is wrong with a subscription's terms but for how long they are, each looked at by itself. Absent terms are left out. */
export function subscriptionFailures(
  path: string,
  { planName, nextPaymentAt, retryCount }: SentSubscription,
): FieldFailure[] {
  const isNoTime = typeof nextPaymentAt === 'number' && !isUnixSeconds(nextPaymentAt)
  return [
    ...filled(`${path}.planName`, planName),
    ...failureWhen(isNoTime, `${path}.nextPaymentAt`, 'must be a whole second from 1970 on'),
    ...integer(`${path}.retryCount`, retryCount, 0),
  ]
}

/** Each event of a subscription keeps its plan's name, and each e-mail about it says it. */
const PLAN_NAME_MAX_LENGTH = 200

/** Whether a plan's name is too long to be stored. One from a time without this bound may stay: the caller compares. */
export function planLengthFailures(field: string, name: string | null | undefined): FieldFailure[] {
  const isTooLong = (name ?? '').length > PLAN_NAME_MAX_LENGTH
  return failureWhen(isTooLong, field, `must have at most ${PLAN_NAME_MAX_LENGTH} characters`)
}

/** A text that is there is not empty. */
export function filled(field: string, text: string | null | undefined): FieldFailure[] {
  return failureWhen(typeof text === 'string' && text.trim() === '', field, 'must not be empty')
}

/** A number that is there is whole, and not below `minimum`. */
export function integer(field: string, value: number | null | undefined, minimum: number): FieldFailure[] {
  const isBad = typeof value === 'number' && !(Number.isInteger(value) && value >= minimum && value <= LARGEST_INTEGER)
  return failureWhen(isBad, field, `must be a whole number of at least ${minimum}`)
}
