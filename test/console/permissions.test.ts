import { getNamedType, getOperationAST, isLeafType, isNonNullType, Kind, type GraphQLField } from 'graphql'
import { describe, expect, it } from 'vitest'
import { sampleValue } from '../../gateway/fixtures/sample-input.js'
import { RIGHTS, SCOPES, type Scope } from '../../kernel/permissions.js'
import { ROLES, type Role } from '../../kernel/tenant.js'
import { loadOperations, operationNamed } from '../../rest-compat/operation.js'
import { operationNames, type Route } from '../../rest-compat/route.js'
import { ROUTES } from '../../rest-compat/routes.js'
import { loadApiSchema, loadWholeSchema } from '../harness/api-schema.js'
import { signIn } from '../harness/console.js'
import { startHarness } from '../harness/harness.js'
import type { Answer } from '../harness/http.js'

const harness = await startHarness()
const { tenant } = harness
const api = loadApiSchema()
const queries = Object.values(api.getQueryType()?.getFields() ?? {})
const mutations = Object.values(api.getMutationType()?.getFields() ?? {})
const subscriptions = Object.values(api.getSubscriptionType()?.getFields() ?? {})
const roots = [...queries, ...mutations]

const operations = loadOperations(loadWholeSchema())

/** The root fields that a route of REST asks for, on behalf of who calls it. */
const rootsOf = (route: Route): string[] =>
  operationNames(route).flatMap((name) => {
    const operation = getOperationAST(operationNamed(operations, name).document)
    const selections = operation?.selectionSet.selections ?? []
    return selections.flatMap((field) => (field.kind === Kind.FIELD ? [field.name.value] : []))
  })

/** Asks for a root field with values that its arguments take; whether they mean anything is another question. */
function operationOf(field: GraphQLField<unknown, unknown>): { query: string; variables: object } {
  const needed = field.args.filter(({ type }) => isNonNullType(type))
  const declared = needed.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ')
  const given = needed.map(({ name }) => `${name}: $${name}`).join(', ')
  const selection = isLeafType(getNamedType(field.type)) ? '' : '{ __typename }'
  const kind = mutations.includes(field) ? 'mutation' : 'query'
  const query = `${kind}${declared && `(${declared})`} { ${field.name}${given && `(${given})`} ${selection} }`
  return { query, variables: Object.fromEntries(needed.map(({ name, type }) => [name, sampleValue(type)])) }
}

/** The fields, of all, that a caller is refused for want of permission. */
async function refused(ask: (query: string, variables: object) => Promise<Answer>): Promise<string[]> {
  const found: string[] = []
  for (const field of roots) {
    const { query, variables } = operationOf(field)
    const answer = await ask(query, variables)
    expect([field.name, answer.status]).toEqual([field.name, 200])
    if (answer.text.includes('"PERMISSION_DENIED"')) found.push(field.name)
  }
  return found.toSorted()
}

const namesOf = (fields: readonly { name: string }[]): string[] => fields.map(({ name }) => name)
const without = (names: readonly string[], allowed: readonly string[]): string[] =>
  names.filter((name) => !allowed.includes(name)).toSorted()

describe('the table of permissions', () => {
  it('has a row for every root field, and for what REST alone asks for, and none for what is not there', () => {
    const asked = new Set([...namesOf([...roots, ...subscriptions]), ...ROUTES.flatMap(rootsOf)])
    expect(Object.keys(RIGHTS).toSorted()).toEqual([...asked].toSorted())
  })

  it('gives a key for every scope something to do', () => {
    expect(SCOPES.filter((scope) => !Object.values(RIGHTS).includes(scope))).toEqual([])
  })
})

/** What everyone may do about the own way in. */
const OWN = ['addPasskey', 'endSession', 'removePasskey', 'renamePasskey', 'startPasskey']

/** What each role is refused, written down by hand: the roles as the console explains them. */
const REFUSED: Readonly<Record<Role, readonly string[]>> = {
  owner: [],
  developer: [
    'changePersonRole',
    'giveBackUnderpayment',
    'invitePerson',
    'refundPayment',
    'removePerson',
    'resendInvitation',
  ],
  support: without(namesOf(mutations).concat('auditLog'), [
    ...OWN,
    'giveBackUnderpayment',
    'refundPayment',
    'replayWebhookDelivery',
  ]),
  viewer: without(namesOf(mutations).concat('auditLog'), OWN),
}

/** What is for the deployment's own people alone. */
const ofOperators = namesOf(roots).filter((name) => RIGHTS[name] === 'operator')

describe.each(ROLES)('a person who is %s', (role) => {
  it('is refused what the role may not do, and nothing else', async () => {
    const email = `${role}@example.com`
    await harness.dashboard.addMember(tenant, email, role)
    const browser = await signIn(harness, email)
    const found = await refused((query, variables) => browser.graphql(query, variables))
    expect(found).toEqual([...new Set([...REFUSED[role], ...ofOperators])].toSorted())
  })
})

describe.each(SCOPES)('a key with %s', (scope) => {
  it('is refused what is not in its scope', async () => {
    const { key: as } = await harness.dashboard.newKey(tenant, { expiresAt: null, scopes: [scope] })
    const inScope = (name: string): boolean =>
      RIGHTS[name] === null ||
      RIGHTS[name] === scope ||
      (scope === 'webhooks:write' && name === 'replayWebhookDelivery')
    const found = await refused((query, variables) => harness.graphql(query, variables, { as }))
    expect(found).toEqual(without(namesOf(roots), namesOf(roots).filter(inScope)))
  })
})

describe('a key', () => {
  const keyWith = async (...scopes: Scope[]): Promise<string> =>
    (await harness.dashboard.newKey(tenant, { expiresAt: null, scopes })).key

  /** A key that leaked must not make others, or read who was there. */
  const OF_PEOPLE = [
    'addPasskey',
    'apiKeys',
    'auditLog',
    'changePersonRole',
    'createApiKey',
    'createWebhookEndpoint',
    'deleteWebhookEndpoint',
    'endSession',
    'invitePerson',
    'passkeys',
    'people',
    'removePasskey',
    'removePerson',
    'renamePasskey',
    'resendInvitation',
    'revokeApiKey',
    'rotateWebhookEndpointSecret',
    'rotateWebhookSecret',
    'sessions',
    'setWebhookAddress',
    'startPasskey',
    'updateBranding',
    'updateWebhookEndpoint',
  ]

  it('without scopes may do all that the contract lets it', async () => {
    const found = await refused((query, variables) => harness.graphql(query, variables, { as: tenant }))
    expect(found).toEqual([...OF_PEOPLE, ...ofOperators].toSorted())
  })

  it('comes from an object in its scope to no other', async () => {
    const id = await tenant.createOrder()
    const document = 'query ($id: ID!) { order(id: $id) { id payments { edges { node { id } } } } }'
    const narrow = await harness.graphql(document, { id }, { as: await keyWith('orders:read') })
    expect(narrow.body.data).toEqual({ order: { id, payments: null } })
    expect(narrow.text).toContain('"PERMISSION_DENIED"')
    const wide = await harness.graphql(document, { id }, { as: await keyWith('orders:read', 'payments:read') })
    expect(wide.body.data).toEqual({ order: { id, payments: { edges: [] } } })
  })

  it('gets 403 permission_denied over REST, and no stream of what it may not read', async () => {
    const as = await keyWith('kyc:read')
    const denied = { statusCode: 403, success: false, status: 'permission_denied' }
    expect((await harness.rest('GET', '/order/list', { as })).body).toMatchObject(denied)
    expect((await harness.rest('GET', '/payment/c000000000000000000000000/events', { as })).body).toMatchObject(denied)
    expect((await harness.rest('GET', '/config/products', { as })).status).toBe(200)
  })
})

it('every route of REST is refused to a key without its scope: before it is done, and before anybody is told that something is not there', async () => {
  const { key: as } = await harness.dashboard.newKey(tenant, { expiresAt: null, scopes: ['orders:read'] })
  const { key: foreign } = await harness.dashboard.newKey(tenant, { expiresAt: null, scopes: ['kyc:read'] })
  for (const route of ROUTES) {
    const rights = rootsOf(route).map((name) => RIGHTS[name])
    if (rights.includes(null)) continue
    const path = route.path.replaceAll(/:\w+/g, 'c000000000000000000000000')
    const body = route.method === 'GET' ? undefined : {}
    const answer = await harness.rest(route.method, path, { as: rights.includes('kyc:read') ? as : foreign, body })
    // What a route needs to be sent is looked at first.
    expect([route.path, answer.body.status]).toEqual([
      route.path,
      expect.stringMatching(/^(permission_denied|validation_error|params_mismatch|missing_\w+|invalid_\w+)$/),
    ])
    const isBare = ['/order/list', '/payment/list', '/webhook/deliveries', '/order/:order_id/toggle'].includes(
      route.path,
    )
    if (isBare) expect([route.path, answer.status]).toEqual([route.path, 403])
  }
})

describe('a refund by a person', () => {
  const REFUND = 'mutation ($id: ID!) { refundPayment(id: $id) { errors { code } } }'
  const payment = { id: 'c000000000000000000000000' }

  it('needs a proof of the last ten minutes', async () => {
    await harness.dashboard.addMember(tenant, 'refunds@example.com', 'support')
    const browser = await signIn(harness, 'refunds@example.com')
    const proven = await browser.graphql(REFUND, payment)
    expect(proven.text).not.toContain('PROOF_REQUIRED')
    harness.clock.advance(10 * 60_000)
    expect((await browser.graphql(REFUND, payment)).text).toContain('"PROOF_REQUIRED"')
    const key = await harness.graphql(REFUND, payment, { as: tenant })
    expect(key.text).not.toContain('PROOF_REQUIRED')
  })
})
