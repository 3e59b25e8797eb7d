import { getNamedType, isInputObjectType, isObjectType } from 'graphql'
import { describe, expect, it } from 'vitest'
import type { SupergraphExecutor } from '../gateway/supergraph.js'
import type { FieldFailure } from '../kernel/errors.js'
import { hmacSha256 } from '../kernel/hmac.js'
import { percentProblem } from '../kernel/percent.js'
import { isUnixSeconds } from '../kernel/unix-seconds.js'
import { readTerms } from '../terms/graphql/read-terms.js'
import { loadWholeSchema } from '../test/harness/api-schema.js'
import { handleRoute, type RestDeps } from './handle.js'
import { loadOperations } from './operation.js'
import { changeValues } from './other-values.js'
import { readValue } from './read-input.js'
import { REST_NUMBERS } from './rest-numbers.js'
import { ROUTES } from './routes.js'

const schema = loadWholeSchema()
const operations = loadOperations(schema)

const operationOf = (name: string) => {
  const operation = operations.get(name)
  if (!operation) throw new Error(`no document is named ${name}`)
  return operation
}

/** What the graph is sent for a body, or what is wrong with it. */
function read(name: string, body: object): unknown {
  const operation = operationOf(name)
  const type = operation.variables.find((variable) => variable.name === 'input')?.type
  if (!type) throw new Error(`${name} takes no input`)
  const failures: FieldFailure[] = []
  const outOfRange: FieldFailure[] = []
  const variables = { input: readValue(type, body, '', { form: 'json', failures, outOfRange }) }
  changeValues(variables, operation.otherInputs)
  const wrong = [...failures, ...outOfRange]
  return wrong.length > 0 ? wrong.map(({ field, message }) => `${field} ${message}`) : variables.input
}

describe('the numbers of REST', () => {
  it.each(Object.entries(REST_NUMBERS))('%s is a text in the graph', (place, { scalar }) => {
    const [typeName = '', field = ''] = place.split('.')
    const type = schema.getType(typeName)
    const fields = isObjectType(type) || isInputObjectType(type) ? type.getFields() : {}
    const named = fields[field] && getNamedType(fields[field].type)
    expect(named?.name).toBe(scalar.name === 'UnixSeconds' ? 'DateTime' : 'Decimal')
  })

  it('are sent on as the texts that the graph has in their place', () => {
    const percents = [100, 0.1, 1e-7, 33.33, 5e-18]
    const sent = {
      split_payment_config: percents.map((receiver_percent) => ({ receiver_percent })),
      subscription_payment_config: { next_payment_at: 1_900_000_000 },
    }
    expect(read('update-order', sent)).toEqual({
      splitPaymentConfig: ['100', '0.1', '0.0000001', '33.33', '0.000000000000000005'].map((receiverPercent) => ({
        receiverPercent,
      })),
      subscriptionPaymentConfig: { nextPaymentAt: '2030-03-17T17:46:40.000Z' },
    })
  })

  it.each([
    ['100', 'must be a number'],
    [true, 'must be a number'],
    [Infinity, 'must be a number'],
    [-1, 'must be from 0 to 100'],
    [1e40, 'must be from 0 to 100'],
    [5e-19, 'must have at most 18 decimals'],
  ])('refuse %j for a percentage', (receiver_percent, message) => {
    const refused = read('update-order', { split_payment_config: [{ receiver_percent }] })
    expect(refused).toEqual([`split_payment_config.0.receiver_percent ${message}`])
  })

  it.each([
    ['2030-03-17T17:46:40Z', 'must be a number'],
    [1.5, 'must be a Unix timestamp in whole seconds'],
    [0, 'must be a Unix timestamp in whole seconds'],
    [1_900_000_000_000, 'must be a Unix timestamp in whole seconds'],
  ])('refuse %j for a due time', (next_payment_at, message) => {
    const refused = read('update-order', { subscription_payment_config: { next_payment_at } })
    expect(refused).toEqual([`subscription_payment_config.next_payment_at ${message}`])
  })

  it('are sent as what the rules refuse where the graph has no text for them', () => {
    const variables = {
      input: {
        splitPaymentConfig: [{ receiverPercent: -1 }, { receiverPercent: 5e-19 }],
        subscriptionPaymentConfig: { nextPaymentAt: 1_900_000_000_000 },
      },
    }
    changeValues(variables, operationOf('update-order').otherInputs)
    const { splitPaymentConfig: split, subscriptionPaymentConfig: subscription } = readTerms<typeof variables.input>(
      variables.input as never,
    )
    expect(split.map(({ receiverPercent }) => percentProblem(receiverPercent))).toEqual(
      split.map(() => 'must be from 0 to 100'),
    )
    expect(isUnixSeconds(subscription.nextPaymentAt)).toBe(false)
  })

  it('stay numbers in what an idempotency key is held to, so that one of an earlier version still answers', async () => {
    const fingerprintKey = Buffer.alloc(32)
    const sent: unknown[] = []
    const execute: SupergraphExecutor['execute'] = (_operation, variables, { idempotency }) => {
      sent.push(variables, idempotency?.fingerprint)
      return Promise.resolve({ data: { payload: { data: { id: 'o' }, errors: [] } } })
    }
    const deps: RestDeps = {
      ...{ operations, fingerprintKey, subgraphs: {}, supergraph: { execute } as SupergraphExecutor },
      admission: { run: (_weighed, context, work) => work(context) },
    }
    const route = ROUTES.find(({ operation }) => operation === 'update-order')
    if (!route) throw new Error('no route updates orders')
    await handleRoute(deps, route, {
      ...{ caller: { tenantId: 't', keyId: 'k', products: [] }, requestId: 'r', params: { order_id: 'o' }, query: {} },
      idempotencyKeys: ['one'],
      body: { split_payment_config: [{ receiver_percent: 33.3 }] },
    })
    const text = 'update-order {"orderId":"o","input":{"splitPaymentConfig":[{"receiverPercent":33.3}]}}'
    expect(sent).toEqual([
      { orderId: 'o', input: { splitPaymentConfig: [{ receiverPercent: '33.3' }] } },
      hmacSha256(text, fingerprintKey),
    ])
  })

  it('are shown of the texts of an answer, in the lists and of what is there', () => {
    const receivers = [{ receiver_percent: '66.67' }, { receiver_percent: '0.0000001' }]
    const data = { split_payment_config: receivers, subscription_payment_config: null, gateway_method: 'DIRECT' }
    changeValues({ data }, operationOf('order').otherAnswers)
    expect(data).toEqual({
      split_payment_config: [{ receiver_percent: 66.67 }, { receiver_percent: 1e-7 }],
      subscription_payment_config: null,
      gateway_method: 'direct',
    })
    const subscription = { next_payment_at: '2030-03-17T17:46:40.000Z', interval: 'MONTHLY' }
    const orders = [{ subscription_payment_config: subscription }]
    changeValues({ data: { orders } }, operationOf('list-orders').otherAnswers)
    expect(subscription).toEqual({ next_payment_at: 1_900_000_000, interval: 'monthly' })
    const canceled = { split_payment_config: [{ receiver_percent: '100' }] }
    changeValues({ data: canceled }, operationOf('cancel-payment').otherAnswers)
    expect(canceled).toEqual({ split_payment_config: [{ receiver_percent: 100 }] })
    const apy = { supply: { percent: '4', annualized: '0.04' }, borrow: null }
    changeValues({ data: { strategies: [{ apy }] } }, operationOf('yield-strategies').otherAnswers)
    expect(apy).toEqual({ supply: { percent: 4, annualized: 0.04 }, borrow: null })
  })
})
