import { GraphQLNonNull, GraphQLScalarType, isNonNullType, type GraphQLNullableType } from 'graphql'
import { isAmount } from '../kernel/money.js'
import { percentProblem, percentText } from '../kernel/percent.js'
import { isoOf, isUnixSeconds, unixSecondsOf } from '../kernel/unix-seconds.js'

/** A scalar of REST alone: its number is read as the text that the graph has in its place, and written from it. */
export type NumberScalar = GraphQLScalarType<string, number>

/** A number that is a `Decimal` in the graph. Those that are sent are percentages. */
const DECIMAL = numberScalar('DecimalNumber', {
  read: percentText,
  // A Decimal has no sign, and not so many decimals.
  problemOf: (number) => (isAmount(percentText(number)) ? undefined : percentProblem(number)),
  write: Number,
})

/** A number that is a `DateTime` in the graph. */
const UNIX_SECONDS = numberScalar('UnixSeconds', {
  read: isoOf,
  problemOf: (number) => (isUnixSeconds(number) ? undefined : 'must be a Unix timestamp in whole seconds'),
  write: unixSecondsOf,
})

/** @param rules.problemOf why the graph has no text for a number, which is what its rule says of it too */
function numberScalar(
  name: string,
  rules: {
    read: (number: number) => string
    problemOf: (number: number) => string | undefined
    write: (text: string) => number
  },
): NumberScalar {
  return new GraphQLScalarType({
    name,
    parseValue: (value) => {
      if (typeof value !== 'number' || !Number.isFinite(value)) throw new TypeError('must be a number')
      const problem = rules.problemOf(value)
      if (problem !== undefined) throw new RangeError(problem)
      return rules.read(value)
    },
    serialize: (text) => rules.write(String(text)),
  })
}

/** How REST has a field. */
export interface RestNumber {
  scalar: NumberScalar
  /** What the rules refuse like every number for which the graph has no text: it is sent in the place of these. */
  refused: string
  /** Its description, where that of the graph would not be true. */
  description?: string
}

const DECIMAL_FIELD: RestNumber = { scalar: DECIMAL, refused: '101' }
const DUE: RestNumber = {
  scalar: UNIX_SECONDS,
  refused: isoOf(0),
  description: 'When the next payment is due, in whole Unix seconds.',
}

/** The fields that are texts in the graph and numbers in REST, by type and name. A field that is not here is the same in both. */
export const REST_NUMBERS: Readonly<Record<string, RestNumber>> = {
  'RebalanceOpportunity.apySpreadPercent': DECIMAL_FIELD,
  'SplitReceiver.receiverPercent': DECIMAL_FIELD,
  'SplitReceiverInput.receiverPercent': DECIMAL_FIELD,
  'SplitReceiverPatch.receiverPercent': DECIMAL_FIELD,
  'SubscriptionConfig.nextPaymentAt': DUE,
  'SubscriptionConfigInput.nextPaymentAt': DUE,
  'SubscriptionConfigPatch.nextPaymentAt': DUE,
  'YieldLiquidity.totalBorrowUsd': DECIMAL_FIELD,
  'YieldLiquidity.totalSupplyUsd': DECIMAL_FIELD,
  'YieldLiquidity.tvlUsd': DECIMAL_FIELD,
  'YieldPosition.position': DECIMAL_FIELD,
  'YieldRate.annualized': DECIMAL_FIELD,
  'YieldRate.percent': DECIMAL_FIELD,
  'YieldRisk.maxLtv': DECIMAL_FIELD,
  'YieldRisk.maxLtvPercent': DECIMAL_FIELD,
  'YieldRouteOption.apyPercent': DECIMAL_FIELD,
}

/** How REST has a field that is a number there and none in the graph; undefined for any other. */
export function restNumberOf(typeName: string, fieldName: string): RestNumber | undefined {
  return REST_NUMBERS[`${typeName}.${fieldName}`]
}

/**
 * The text that the graph has for a number. Where it has none, one that the rules refuse in its place: so the operation itself judges
 * it, with whoever asks, the idempotency key and what is stored, and only its words are not those of REST.
 */
export function textFor({ scalar, refused }: RestNumber, number: unknown): string {
  try {
    return scalar.parseValue(number)
  } catch {
    return refused
  }
}

/** Fields that are null in the graph alone, where they cannot be read: REST answers the failure then. */
const NEVER_NULL: ReadonlySet<string> = new Set(['Payment.refunds'])

/** A field of a type as REST has it. */
export function restField<Field extends { name: string; type: unknown; description?: string | null | undefined }>(
  typeName: string,
  field: Field,
): Field {
  if (NEVER_NULL.has(`${typeName}.${field.name}`)) {
    return { ...field, type: new GraphQLNonNull(field.type as GraphQLNullableType) }
  }
  const number = restNumberOf(typeName, field.name)
  if (!number) return field
  const { scalar, description = field.description } = number
  return { ...field, type: isNonNullType(field.type) ? new GraphQLNonNull(scalar) : scalar, description }
}
