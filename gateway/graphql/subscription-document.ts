import {
  getArgumentValues,
  getOperationAST,
  Kind,
  OperationTypeNode,
  parseType,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type ArgumentNode,
  type ConstDirectiveNode,
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type FragmentSpreadNode,
  type GraphQLSchema,
  type InlineFragmentNode,
  type NamedTypeNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type VariableDefinitionNode,
} from 'graphql'
import { fragmentsOf } from './measuring.js'

/** The variables of a payment and of the event after which it is shown; no client's name begins so, as validation has it. */
export const EVENT_VARIABLES = { id: '__paymentId', sequence: '__sequence' } as const

/** The field that shows a payment after an event. */
const SHOWN_BY = 'paymentAt'

/**
 * A subscription as the query that shows one of its events: its root field becomes `paymentAt` under the same name, so that it runs
 * over the supergraph as any query does, and variables that nothing uses any more are left out.
 * @param document valid, and of one subscription with one root field
 */
export function asQuery(schema: GraphQLSchema, document: DocumentNode): DocumentNode {
  const types = new TypeInfo(schema)
  const root = schema.getSubscriptionType()?.name
  const onQuery = (node: NamedTypeNode | undefined) =>
    node?.name.value === root ? { ...node, name: { kind: Kind.NAME, value: 'Query' } } : node
  const rewritten = visit(
    document,
    visitWithTypeInfo(types, {
      Field: {
        leave: (node) => (types.getParentType()?.name === root ? shownField(node) : undefined),
      },
      InlineFragment: { leave: (node) => ({ ...node, typeCondition: onQuery(node.typeCondition) }) },
      FragmentDefinition: { leave: (node) => ({ ...node, typeCondition: onQuery(node.typeCondition) }) },
      OperationDefinition: { leave: (node) => ({ ...node, operation: OperationTypeNode.QUERY }) },
    }),
  ) as DocumentNode
  const used = new Set<string>()
  visit(rewritten, {
    VariableDefinition: () => false,
    Variable: ({ name }) => {
      used.add(name.value)
    },
  })
  return visit(rewritten, {
    OperationDefinition: (node) => ({ ...node, variableDefinitions: [...stillUsed(node, used), ...EVENT_DEFINITIONS] }),
  })
}

function shownField(node: FieldNode): FieldNode {
  return {
    ...node,
    alias: node.alias ?? node.name,
    name: { kind: Kind.NAME, value: SHOWN_BY },
    arguments: [argument('id', EVENT_VARIABLES.id), argument('sequence', EVENT_VARIABLES.sequence)],
  }
}

function stillUsed(
  { variableDefinitions = [] }: OperationDefinitionNode,
  used: ReadonlySet<string>,
): VariableDefinitionNode[] {
  return variableDefinitions.filter(({ variable }) => used.has(variable.name.value))
}

function argument(name: string, variable: string): ArgumentNode {
  return {
    kind: Kind.ARGUMENT,
    name: { kind: Kind.NAME, value: name },
    value: { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: variable } },
  }
}

const NO_DIRECTIVES: readonly ConstDirectiveNode[] = []
const EVENT_DEFINITIONS: readonly VariableDefinitionNode[] = [
  [EVENT_VARIABLES.id, 'ID!'],
  [EVENT_VARIABLES.sequence, 'Int!'],
].map(([name = '', type = '']) => ({
  kind: Kind.VARIABLE_DEFINITION,
  variable: { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: name } },
  type: parseType(type, { noLocation: true }),
  directives: NO_DIRECTIVES,
}))

/**
 * The payment that a subscription follows; undefined where it follows all.
 * @param variables coerced
 * @throws GraphQLError where its argument has not the form of an id
 */
export function followedPayment(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
  variables: Readonly<Record<string, unknown>>,
): string | undefined {
  const operation = getOperationAST(document, operationName)
  const node = operation ? rootFieldOf(document, operation.selectionSet) : undefined
  const field = node && schema.getSubscriptionType()?.getFields()[node.name.value]
  if (!node || !field) throw new Error('a valid subscription has a root field')
  const { id } = getArgumentValues(field, node, variables)
  return typeof id === 'string' ? id : undefined
}

/**
 * The `@skip` or `@include` that stands on the root field of a subscription, or on a fragment around it. GraphQL forbids it since
 * September 2025: a subscription has to follow something.
 */
export function conditionAtRoot(
  document: DocumentNode,
  { selections }: SelectionSetNode,
  entered = new Set<SelectionSetNode>(),
): DirectiveNode | undefined {
  for (const node of selections) {
    const condition = node.directives?.find(({ name }) => name.value === 'skip' || name.value === 'include')
    if (condition) return condition
    const within = node.kind === Kind.FIELD ? undefined : fragmentOf(document, node)
    // A document that is not validated yet may have fragments that spread each other.
    if (!within || entered.has(within)) continue
    entered.add(within)
    const found = conditionAtRoot(document, within, entered)
    if (found) return found
  }
  return undefined
}

function fragmentOf(
  document: DocumentNode,
  node: InlineFragmentNode | FragmentSpreadNode,
): SelectionSetNode | undefined {
  if (node.kind === Kind.INLINE_FRAGMENT) return node.selectionSet
  return fragmentsOf(document).get(node.name.value)?.selectionSet
}

function rootFieldOf(document: DocumentNode, { selections }: SelectionSetNode): FieldNode | undefined {
  for (const node of selections) {
    if (node.kind === Kind.FIELD) return node
    const within = fragmentOf(document, node)
    const found = within && rootFieldOf(document, within)
    if (found) return found
  }
  return undefined
}
