import { describe, expect, it } from 'vitest'
import { EXAMPLE } from '../rest-compat/examples.js'
import { operationIdOf } from '../rest-compat/openapi.js'
import { ROUTES } from '../rest-compat/routes.js'
import { startYieldRestHarness } from '../test/harness/rest-yield.js'
import { answerChecker } from './check-answer.js'
import { findingText, fuzz } from './fuzz.js'

const harness = await startYieldRestHarness()
const { tenant } = harness
const REQUESTS = 1_600

describe('requests, good and bad, over all routes', () => {
  it('are never answered by a failure of ours, nor by what the document does not list', async () => {
    const known = new Map([
      [EXAMPLE.publicClientId, [tenant.tenantData.public_client_id]],
      [EXAMPLE.webhookUrl, [tenant.tenantData.webhook_url]],
      [EXAMPLE.evmWallet, [(await harness.chain.newPayer()).address]],
    ])
    const { findings, statuses, succeeded } = await fuzz({
      url: harness.url,
      key: tenant.key,
      requests: REQUESTS,
      seed: 16,
      known,
    })
    expect(findings.map(findingText)).toEqual([])
    // Requests that are all refused at the door would find nothing.
    expect(statuses.get(200)).toBeGreaterThan(REQUESTS / 20)
    expect(succeeded.size).toBeGreaterThan(ROUTES.length / 2)
    for (const name of ['registerPayment', 'createTransaction', 'createOrder']) expect([...succeeded]).toContain(name)
    expect([...succeeded].filter((name) => !ROUTES.map(operationIdOf).includes(name))).toEqual([])
  }, 240_000)

  it('are judged: an answer that is not in the document is found', async () => {
    const check = answerChecker((await harness.rest('GET', '/openapi.json')).body as never)
    const request = {
      operationId: 'getOrder',
      method: 'GET',
      pattern: '/order/list/{order_id}',
      path: '',
      headers: {},
      body: undefined,
    }
    const envelope = (statusCode: number, status: string) => ({
      status: statusCode,
      text: JSON.stringify({ statusCode, success: false, status, message: 'x' }),
    })
    expect(check(request, envelope(404, 'order_not_found'))).toBeUndefined()
    expect(check(request, envelope(404, 'payment_not_found'))).toContain('not as documented')
    expect(check(request, envelope(409, 'order_not_found'))).toBe('409 is not documented')
    expect(check(request, envelope(500, 'server_error'))).toBe('the answer is a 500')
    expect(check(request, { status: 200, text: 'x' })).toBe('the answer is no JSON')
  })
})
