import { expect, it } from 'vitest'
import { startHarness } from '../test/harness/harness.js'
import { send } from '../test/harness/http.js'
import { registerBody } from '../test/harness/rest-payments.js'

const harness = await startHarness({ MCP_CONFIRM_ABOVE: '500' })
const { tenant } = harness

interface Called {
  structuredContent?: { status: string }
  content: [{ text: string }]
}

async function register(args: object): Promise<Called> {
  const params = { name: 'registerPayment', arguments: args }
  const answer = await send({
    method: 'POST',
    url: `${harness.url}/mcp`,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'x-api-key': tenant.key,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  return (answer.body as unknown as { result: Called }).result
}

const tokenIn = ({ content }: Called) => /"(\d+\.[\w-]+)"/.exec(content[0].text)?.[1]
const payments = async () => Number((await harness.sql('select count(*) from payments.payment'))[0]?.['count'])

it('an amount is moved once under one idempotency key, however often it is confirmed, and a confirmation is for one key', async () => {
  const before = await payments()
  const args = { ...registerBody(tenant, { amount_from: '503' }), idempotency_key: 'lost answer' }
  const done = await register({ ...args, confirmation_token: tokenIn(await register(args)) })
  expect(done.structuredContent?.status).toBe('payment_registered')
  harness.clock.advance(601_000)
  const asked = await register(args)
  expect(asked.content[0].text).toContain('Nothing was done by this call')
  const again = await register({ ...args, confirmation_token: tokenIn(asked) })
  expect(again.structuredContent).toEqual(done.structuredContent)
  const token = tokenIn(await register(args))
  for (const key of ['another', undefined]) {
    const other = await register({ ...args, idempotency_key: key, confirmation_token: token })
    expect(other.content[0].text).toContain('not one of this call')
  }
  expect(await payments()).toBe(before + 1)
})

it('two consents to the same call are two actions, also where both were asked for in one second', async () => {
  const before = await payments()
  const args = registerBody(tenant, { amount_from: '504' })
  const tokens = [tokenIn(await register(args)), tokenIn(await register(args))]
  for (const token of tokens) await register({ ...args, confirmation_token: token })
  expect(await payments()).toBe(before + 2)
})

it('an idempotency key that is refused is named as the argument is, and not as a header', async () => {
  const refused = await register({ ...registerBody(tenant), idempotency_key: 'k'.repeat(256) })
  expect(refused.content[0].text).toContain('- idempotency_key: must have 1 to 255 characters')
  expect(refused.content[0].text).not.toMatch(/idempotency-key/i)
})

it.each([5, [], {}, true])('an idempotency key that is no text is refused, and nothing is done: %j', async (key) => {
  const before = await payments()
  const refused = await register({ ...registerBody(tenant), idempotency_key: key })
  expect(refused.content[0].text).toContain('idempotency_key: must be a string')
  expect(await payments()).toBe(before)
})
