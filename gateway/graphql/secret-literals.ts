import {
  getNamedType,
  GraphQLError,
  Kind,
  type ASTNode,
  type ASTVisitor,
  type ValidationContext,
  type VariableDefinitionNode,
} from 'graphql'

/** Inputs of which no field may be written into a document. */
export const SECRET_INPUTS: ReadonlySet<string> = new Set(['CardInput', 'TokenizedCardInput', 'VerifyEmailOtpInput'])

/** Single fields that may not, of inputs that otherwise may. */
export const SECRET_FIELDS: ReadonlySet<string> = new Set([
  'CreateTransactionInput.payerCpf',
  'CreateTransactionInput.payerDocument',
])

/**
 * A validation rule: card data, one-time codes and tax ids come as variables, never as literals. Documents that are valid
 * stay in memory for long, as text and parsed, in Apollo's store, in query plans and in our own maps; variables go with
 * their request. Reports `BAD_USER_INPUT`, and the place without the value.
 */
export function secretLiteralsRule(context: ValidationContext): ASTVisitor {
  const withDefault: VariableDefinitionNode[] = []
  const usedForSecrets = new Set<string>()
  return {
    VariableDefinition(node) {
      if (node.defaultValue && node.defaultValue.kind !== Kind.NULL) withDefault.push(node)
    },
    ObjectField(node) {
      const input = getNamedType(context.getParentInputType())?.name ?? ''
      const place = `${input}.${node.name.value}`
      if (!SECRET_INPUTS.has(input) && !SECRET_FIELDS.has(place)) return
      if (node.value.kind === Kind.VARIABLE) usedForSecrets.add(node.value.name.value)
      else if (node.value.kind !== Kind.NULL) context.reportError(refusal(place, node))
    },
    Document: {
      leave() {
        for (const node of withDefault) {
          const name = node.variable.name.value
          if (usedForSecrets.has(name)) context.reportError(refusal(`The default of $${name}`, node))
        }
      },
    },
  }
}

function refusal(what: string, node: ASTNode): GraphQLError {
  return new GraphQLError(`${what} must not be written into the query's text: send it as a variable.`, {
    nodes: node,
    extensions: { code: 'BAD_USER_INPUT' },
  })
}

/** Whether an error is of this rule: Apollo gives errors of validation a code of its own, and keeps ours within. */
export function isAboutSecretLiteral(error: unknown): boolean {
  const original = error instanceof GraphQLError ? error.originalError : undefined
  return original instanceof GraphQLError && original.extensions['code'] === 'BAD_USER_INPUT'
}
