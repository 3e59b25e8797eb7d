import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
  Kind,
  parse,
  type GraphQLNamedType,
  type GraphQLType,
} from 'graphql'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectRoot } from '../../kernel/root.js'
import { loadApiSchema } from '../harness/api-schema.js'

const BOTH_WAYS = 'answers have it too, and what is read there is sent back: two enums of one set would differ one day'
const OF_A_SET = 'named by what it is a set of, as all enums are: `Input` is for what an object is sent as'

/**
 * The rules by which Apollo's schema linter reads a graph (its names, their affixes, `@deprecated`), by its own names. What is
 * let pass stands here with its reason, and has to be there.
 */
const PASSES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ENUM_USED_AS_INPUT_WITHOUT_SUFFIX: {
    CodeLanguage: OF_A_SET,
    DifferenceState: OF_A_SET,
    DocumentType: OF_A_SET,
    GatewayMethod: BOTH_WAYS,
    InvitationLanguage: OF_A_SET,
    KycSubjectKind: OF_A_SET,
    MoneyOwner: OF_A_SET,
    OperatorAlertState: OF_A_SET,
    PaymentSortKey: OF_A_SET,
    PaymentStatus: BOTH_WAYS,
    PersonRole: BOTH_WAYS,
    Product: BOTH_WAYS,
    Rail: BOTH_WAYS,
    ReceiptLanguage: OF_A_SET,
    RefundReason: BOTH_WAYS,
    SortDirection: OF_A_SET,
    SubscriptionInterval: BOTH_WAYS,
    SubscriptionStatus: BOTH_WAYS,
    TransactionType: BOTH_WAYS,
    WebhookDeliveryState: BOTH_WAYS,
    YieldProvider: BOTH_WAYS,
  },
  INPUT_TYPE_SUFFIX: {
    OrderItemPatch: 'released; it says what the input is that it stands in',
    SplitReceiverPatch: 'released; as OrderItemPatch',
    SubscriptionConfigPatch: 'released; as OrderItemPatch',
  },
  TYPE_SUFFIX: {
    DocumentType: 'the kind of a document: `type` is what such papers call it',
    TransactionType: 'released, and the name of the contract: `transaction_type`',
  },
}

const schema = loadApiSchema()
const types = Object.values(schema.getTypeMap()).filter(
  (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
)
const names = types.map(({ name }) => name)
const fields = types.flatMap((type) => ('getFields' in type ? Object.values(type.getFields()) : []))
const args = fields.flatMap((field) => ('args' in field ? field.args : []))
const inputFields = types.filter(isInputObjectType).flatMap((type) => Object.values(type.getFields()))
const outputFields = types
  .filter((type) => isObjectType(type) || isInterfaceType(type))
  .flatMap((type) => Object.values(type.getFields()))
const enumValues = types.filter(isEnumType).flatMap((type) => type.getValues())
const rootFields = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].flatMap((root) =>
  Object.keys(root?.getFields() ?? {}),
)
const subgraphs = ['accounts', 'kyc', 'orders', 'payments', 'yield'].map((name) => {
  const { definitions } = parse(readFileSync(join(projectRoot, 'schema', 'subgraphs', `${name}.graphql`), 'utf8'))
  return { name, definitions }
})
/** The names of the enums that parts of the schema are of. */
const enumsOf = (parts: readonly { type: GraphQLType }[]) => {
  const named = parts.map(({ type }) => getNamedType(type)).filter(isEnumType)
  return [...new Set(named.map(({ name }) => name))]
}
const not = (pattern: RegExp) => (name: string) => !pattern.test(name)

const RULES: Readonly<Record<string, readonly string[]>> = {
  FIELD_NAMES_SHOULD_BE_CAMEL_CASE: [...fields, ...args].map(({ name }) => name).filter(not(/^[a-z][a-zA-Z0-9]*$/)),
  TYPE_NAMES_SHOULD_BE_PASCAL_CASE: names.filter(not(/^[A-Z][a-zA-Z0-9]*$/)),
  ENUM_VALUES_SHOULD_BE_SCREAMING_SNAKE_CASE: enumValues
    .map(({ name }) => name)
    .filter(not(/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/)),
  DIRECTIVE_NAMES_SHOULD_BE_CAMEL_CASE: subgraphs
    .flatMap(({ definitions }) => definitions)
    .filter((node) => node.kind === Kind.DIRECTIVE_DEFINITION)
    .map((node) => node.name.value)
    .filter(not(/^[a-z][a-zA-Z0-9]*$/)),
  ENUM_USED_AS_INPUT_WITHOUT_SUFFIX: enumsOf([...args, ...inputFields]).filter(not(/Input$/)),
  ENUM_USED_AS_OUTPUT_DESPITE_SUFFIX: enumsOf(outputFields).filter((name) => name.endsWith('Input')),
  INPUT_TYPE_SUFFIX: types
    .filter(isInputObjectType)
    .map(({ name }) => name)
    .filter(not(/Input$/)),
  TYPE_PREFIX: names.filter((name) => /^(Type|Object|Interface|Enum)[A-Z]/.test(name)),
  TYPE_SUFFIX: names.filter((name) => /(Type|Object|Interface|Enum)$/.test(name)),
  RESTY_FIELD_NAMES: rootFields.filter((name) => /^(get|list|fetch|post|put|patch)([A-Z]|$)/.test(name)),
  DEPRECATED_DIRECTIVE_MISSING_REASON: [...fields, ...args, ...enumValues]
    .filter(({ deprecationReason: reason }) => reason === '' || reason === 'No longer supported')
    .map(({ name }) => name),
  DEFINED_TYPES_ARE_UNUSED: unused(),
}

/** Types that no field, argument, union or interface names. */
function unused(): string[] {
  const used = new Set<string>()
  const use = (type: GraphQLNamedType): unknown => used.add(type.name)
  for (const { type } of [...fields, ...args]) use(getNamedType(type as GraphQLType))
  for (const type of types) {
    if (isObjectType(type) || isInterfaceType(type)) type.getInterfaces().forEach(use)
    if ('getTypes' in type) type.getTypes().forEach(use)
    // What implements an interface is reached by it.
    if (isInterfaceType(type)) schema.getPossibleTypes(type).forEach(use)
  }
  return names.filter((name) => !used.has(name) && !['Query', 'Mutation', 'Subscription'].includes(name))
}

describe("Apollo's linter of schemas has nothing to say by its rule", () => {
  it.each(Object.entries(RULES))('%s, but what is let pass with a reason', (rule, found) => {
    expect([...found].toSorted()).toEqual(Object.keys(PASSES[rule] ?? {}).toSorted())
  })

  it('CONTACT_DIRECTIVE_MISSING: every subgraph says whom to ask', () => {
    for (const { name, definitions } of subgraphs) {
      const directives = definitions
        .filter(({ kind }) => kind === Kind.SCHEMA_EXTENSION || kind === Kind.SCHEMA_DEFINITION)
        .flatMap((node) => ('directives' in node ? (node.directives ?? []) : []))
      expect([name, directives.some((directive) => directive.name.value === 'contact')]).toEqual([name, true])
    }
  })
})
