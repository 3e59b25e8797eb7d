import { GraphQLError, visit, type DocumentNode } from 'graphql'
import { failedField } from './failed-field.js'
import { loneOperation } from './lone-operation.js'
import { findInvalidText, type InvalidText } from './invalid-text.js'

/**
 * The refusal of an operation with a text that no database keeps, in its variables or written into its document. It names
 * the field as `failedField` does.
 * @param operationName which of its operations is run; may be left out where there is one
 */
export function invalidTextError(
  document: DocumentNode,
  variables: unknown,
  operationName?: string,
): GraphQLError | undefined {
  const invalid = findInvalidText(variables) ?? literalProblem(document)
  if (!invalid) return undefined
  const { path, problem } = invalid
  const [variable, ...within] = path
  const alone = loneOperation(document, operationName)
  const field = variable === undefined ? undefined : failedField(alone, variable, within)
  const errors = field === undefined ? undefined : [{ field, message: problem }]
  return new GraphQLError(`A text ${problem}.`, { extensions: { code: 'BAD_USER_INPUT', ...(errors && { errors }) } })
}

const literalProblems = new WeakMap<DocumentNode, { invalid: InvalidText | undefined }>()

/** As `findInvalidText`, for the texts that are written into a document; looked at once. */
function literalProblem(document: DocumentNode): InvalidText | undefined {
  const known = literalProblems.get(document)
  if (known) return known.invalid
  let invalid: InvalidText | undefined
  visit(document, {
    StringValue({ value }) {
      invalid ??= findInvalidText(value)
    },
  })
  literalProblems.set(document, { invalid })
  return invalid
}
