import {
  coerceInputValue,
  GraphQLError,
  isInputType,
  typeFromAST,
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLSchema,
  type NamedTypeNode,
  type OperationDefinitionNode,
} from 'graphql'
import { failedField } from '../../kernel/failed-field.js'
import { loneOperation } from '../../kernel/lone-operation.js'
import { FAILURES_MAX, type FieldFailure } from '../../kernel/errors.js'
import { percentNumber, percentProblem } from '../../kernel/percent.js'

/**
 * The errors of variables, without the values: graphql-js prints them, and they may hold a card's number. There is one for
 * each place in the variables whose value is wrong, and it names the field as `VALIDATION_ERROR` does (`failedField`), so that a
 * form can show it. Other errors are given back as they are.
 * @param document of the operation
 */
export function withoutValues(
  errors: readonly GraphQLError[],
  schema: GraphQLSchema,
  {
    document,
    operation: { name, variableDefinitions = [] },
  }: { document: DocumentNode; operation: OperationDefinitionNode },
  variables: Readonly<Record<string, unknown>>,
): GraphQLError[] {
  const told = new Set<string>()
  const alone = loneOperation(document, name?.value)
  return errors.flatMap((error) => {
    const missing = /^Variable "\$(\w+)" of (?:required|non-null) type .* (was not provided|must not be null)\.$/.exec(
      error.message,
    )
    if (missing) {
      const field = failedField(alone, missing[1] ?? '', [])
      return [withField(error, error.message, { field, message: missing[2] ?? '' })]
    }
    const wrong = /^Variable "\$(\w+)" got invalid value /.exec(error.message)?.[1]
    const definition = variableDefinitions.find(({ variable }) => variable.name.value === wrong)
    const type = definition && typeFromAST(schema, definition.type as NamedTypeNode)
    if (wrong === undefined || !isInputType(type)) return [error]
    // graphql-js has an error for each place already; the first one of a variable is replaced by those of all its places.
    if (told.has(wrong)) return []
    told.add(wrong)
    return placesOf(variables[wrong], type).map(({ path, message }) => {
      const place = [wrong, ...path].join('.')
      const about = fieldOf(message)
      const field = failedField(alone, wrong, [...path, ...(about === undefined ? [] : [about])])
      const whole = `Variable "$${wrong}" got an invalid value at "${place}": ${message}`
      return withField(error, whole, { field, message })
    })
  })
}

function withField({ extensions }: GraphQLError, message: string, failure: FieldFailure): GraphQLError {
  return new GraphQLError(message, { extensions: { ...extensions, errors: [failure] } })
}

/** The field that is missing or too much; graphql-js gives the path of the object that it is not in. */
function fieldOf(message: string): string | undefined {
  return /^Field "(\w+)" (?:of required type|is not defined)/.exec(message)?.[1]
}

/** Ends the look at a value whose places have all been told that are told. */
const ENOUGH = new Error('enough places')

/** Where a value does not fit its type, and why: the first places, and nothing is looked at behind the last of them. */
function placesOf(value: unknown, type: GraphQLInputType): { path: readonly (string | number)[]; message: string }[] {
  const places: { path: readonly (string | number)[]; message: string }[] = []
  try {
    coerceInputValue(value, type, (path, wrong, { message }) => {
      places.push({ path, message: shareProblem(path, wrong) ?? reasonOf(message) })
      if (places.length >= FAILURES_MAX) throw ENOUGH
    })
  } catch (thrown) {
    if (thrown !== ENOUGH) throw thrown
  }
  return places
}

/** The reason without the value that graphql-js quotes in it. */
function reasonOf(message: string): string {
  return message
    .replace(/^(\w+ cannot represent .*?value): .*$/s, '$1.')
    .replace(/^Value ".*" does not exist/s, 'The value does not exist')
    .replace(/^(Enum "\w+" cannot represent non-string value): .*$/s, '$1.')
}

/** A number that `Decimal` does not take, as it has no sign and not so many digits. */
const NUMBER = /^-?\d{1,40}(?:\.\d{1,60})?$/

/** What the rules would say of a share: its range, where `Decimal` says no more than that it is none; undefined of all else. */
function shareProblem(path: readonly (string | number)[], value: unknown): string | undefined {
  const isNumber = path.at(-1) === 'receiverPercent' && typeof value === 'string' && NUMBER.test(value)
  return isNumber ? percentProblem(percentNumber(value)) : undefined
}
