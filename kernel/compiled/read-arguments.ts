import {
  getArgumentValues,
  isNonNullType,
  Kind,
  valueFromAST,
  type FieldNode,
  type GraphQLArgument,
  type GraphQLField,
  type ValueNode,
} from 'graphql'

type Values = Record<string, unknown>

/** An argument whose value is a variable's, or the same in each run; undefined where it is absent and has no default. */
interface PlainArgument {
  name: string
  isNonNull: boolean
  variable: string | undefined
  value: unknown
}

/**
 * Reads the arguments of a field as graphql-js does, which looks each of them up in the document anew at each call. What is
 * not plainly good is left to graphql-js, which says what is wrong.
 * @returns gives values that are the resolver's own
 */
export function argumentsOf(
  definition: GraphQLField<unknown, unknown>,
  node: FieldNode,
): (variables: Readonly<Values>) => Values {
  const byGraphql = (variables: Readonly<Values>): Values => getArgumentValues(definition, node, variables)
  const plain = definition.args.map((argument) => plainArgument(argument, node))
  if (!plain.every((argument) => argument !== undefined)) return byGraphql
  return (variables) => {
    const values: Values = {}
    for (const { name, variable, value, isNonNull } of plain) {
      const isGiven = variable !== undefined && Object.hasOwn(variables, variable)
      const found = isGiven ? variables[variable] : value
      // Of a variable without a value an argument has its default, as if it were not there.
      if (found === undefined && !isGiven && !isNonNull) continue
      if (found === undefined || (found === null && isNonNull)) return byGraphql(variables)
      values[name] = found
    }
    return values
  }
}

/** Undefined where graphql-js has to read it. */
function plainArgument(
  { name, type, defaultValue }: GraphQLArgument,
  { arguments: given = [] }: FieldNode,
): PlainArgument | undefined {
  if (name === '__proto__' || isShared(defaultValue)) return undefined
  const isNonNull = isNonNullType(type)
  const node = given.findLast((argument) => argument.name.value === name)?.value
  if (!node) return { name, isNonNull, variable: undefined, value: defaultValue }
  if (node.kind === Kind.VARIABLE) return { name, isNonNull, variable: node.name.value, value: defaultValue }
  const value = isWord(node) ? valueFromAST(node, type) : undefined
  return value === undefined || isShared(value) ? undefined : { name, isNonNull, variable: undefined, value }
}

/** Whether a literal has no parts. */
function isWord({ kind }: ValueNode): boolean {
  return kind !== Kind.LIST && kind !== Kind.OBJECT
}

/** Whether a resolver that changes its argument would change it for the next one. */
function isShared(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}
