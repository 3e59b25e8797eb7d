import {
  getNullableType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type GraphQLField,
  type GraphQLInputType,
} from 'graphql'
import { expect, it } from 'vitest'
import { sampleValue } from '../../gateway/fixtures/sample-input.js'
import { RIGHTS } from '../../kernel/permissions.js'
import { loadApiSchema } from '../harness/api-schema.js'
import { newMember, signIn } from '../harness/console.js'
import { startHarness } from '../harness/harness.js'
import { cardTerms } from '../harness/rest-cards.js'

const OPERATOR = 'ana@ops.example'
const harness = await startHarness({ OPERATOR_EMAILS: OPERATOR })
const { tenant } = harness
const owner = await newMember(harness, 'owner')
const operator = await signIn(harness, OPERATOR)

const order = await tenant.createOrder(cardTerms(['rp_shop0001']))
const paid = await tenant.payByCard(order)
const open = await tenant.register()
const { body } = await owner.graphql(
  `mutation { createWebhookEndpoint(input: { url: "${harness.url}/hook" }) {
    createdWebhookEndpoint { webhookEndpoint { id } } errors { message } } }`,
  {},
)
const made = body.data as { createWebhookEndpoint: { createdWebhookEndpoint: { webhookEndpoint: { id: string } } } }
const endpoint = made.createWebhookEndpoint.createdWebhookEndpoint.webhookEndpoint.id

/** What is there, of the kind that a mutation names first: what it does with a null is looked at after that. */
const IDS: Readonly<Record<string, string>> = {
  cancelPayment: open,
  createTransaction: open,
  emailReceipt: paid,
  executeOnChain: open,
  openPaymentAddress: open,
  refundPayment: paid,
  registerCheckoutPayment: await tenant.createOrder(cardTerms(['rp_shop0001'])),
  rotateWebhookEndpointSecret: endpoint,
  setUnderpaymentTolerance: order,
  updateOrder: order,
  updateWebhookEndpoint: endpoint,
}
/** What fields of these names take, so that a null is not the second thing wrong. */
const GOOD: Readonly<Record<string, unknown>> = {
  executorId: 'api_transaction',
  fromCurrencySymbol: 'BRL',
  toCurrencySymbol: 'USDT',
  toChain: 'polygon',
  chainName: 'polygon',
  payerTokenSymbol: 'USDT',
  payerWallet: '0x1234567890abcdef1234567890abcdef12345678',
  receiverWallet: '0x1234567890abcdef1234567890abcdef12345678',
  receiverPercent: '100',
  publicClientId: tenant.tenantData.public_client_id,
  tenantId: tenant.id,
  currency: 'BRL',
  type: 'payment.success',
  url: `${harness.url}/hook`,
  number: '4111111111111111',
  cvv: '123',
  expMonth: 12,
  expYear: 2030,
  holderDocument: '52998224725',
}

/** The values of a type with null in place of one nullable value each, at any depth, and where that is. */
function withNull(type: GraphQLInputType, depth = 3): { value: unknown; at: string }[] {
  const nulls = isNonNullType(type) ? [] : [{ value: null, at: '' }]
  const bare = getNullableType(type)
  if (depth === 0) return nulls
  if (isListType(bare)) {
    const items = withNull(bare.ofType, depth - 1)
    return [...nulls, ...items.map(({ value, at }) => ({ value: [value], at: `.0${at}` }))]
  }
  if (!isInputObjectType(bare)) return nulls
  const rest = sampleValue(bare) as object
  const inFields = Object.values(bare.getFields()).flatMap((field) =>
    withNull(field.type, depth - 1).map(({ value, at }) => ({
      value: { ...rest, [field.name]: value },
      at: `.${field.name}${at}`,
    })),
  )
  return [...nulls, ...inFields]
}

/** A sample with what is there and what is good in place of what only has the right type. */
function meant(mutation: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => meant(mutation, item))
  if (typeof value !== 'object' || value === null) return value
  const known: Record<string, unknown> = { ...GOOD }
  for (const name of ['id', 'paymentId', 'orderCode']) known[name] = IDS[mutation]
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      one === null ? null : typeof one === 'object' ? meant(mutation, one) : (known[name] ?? one),
    ]),
  )
}

/** Every call of a mutation with one null. */
function callsOf(field: GraphQLField<unknown, unknown>): { at: string; variables: Record<string, unknown> }[] {
  const needed = field.args.filter(({ type }) => isNonNullType(type))
  const sample = Object.fromEntries(needed.map(({ name, type }) => [name, sampleValue(type)]))
  return field.args.flatMap(({ name, type }) =>
    withNull(type, 4).map(({ value, at }) => ({
      at: `${field.name} ${name}${at}`,
      variables: meant(field.name, { ...sample, [name]: value }) as Record<string, unknown>,
    })),
  )
}

const mutations = Object.values(loadApiSchema().getMutationType()?.getFields() ?? {})

it.each(mutations.map((field) => ({ name: field.name, field })))(
  '$name takes or refuses a null, wherever it may be one',
  async ({ name, field }) => {
    const as = RIGHTS[name] === 'operator' ? operator : owner
    const found: string[] = []
    for (const { at, variables } of callsOf(field)) {
      const given = field.args.filter((arg) => arg.name in variables)
      const declared = given.map((arg) => `$${arg.name}: ${String(arg.type)}`).join(', ')
      const passed = given.map((arg) => `${arg.name}: $${arg.name}`).join(', ')
      const { text, status } = await as.graphql(
        `mutation (${declared}) { ${name}(${passed}) { errors { code message path } } }`,
        variables,
      )
      if (status !== 200 || text.includes('"SERVER_ERROR"')) found.push(`${at}: ${status} ${text}`)
    }
    expect(found).toEqual([])
  },
)
