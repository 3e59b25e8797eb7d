import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { violations } from '../harness/axe.js'
import { noBrowser, usesBrowser } from '../harness/browser.js'
import { type ConsoleBrowser, newOwner } from '../harness/console.js'
import { openAs, proveAt } from '../harness/console-page.js'
import { startHarness } from '../harness/harness.js'
import { startReceiver } from '../harness/receiver.js'
import { until } from '../harness/until.js'

const harness = await startHarness()
usesBrowser()

const ENDPOINT = '{ account { integrations { publicClientId webhookUrl previousUntil } } }'
const SET = `mutation ($id: ID!, $url: String) {
  setWebhookAddress(publicClientId: $id, url: $url) { integration { webhookUrl } errors { code path } }
}`
const ROTATE = `mutation ($id: ID!, $hours: Int) {
  rotateWebhookSecret(publicClientId: $id, overlapHours: $hours) {
    rotatedWebhookSecret { secret previousUntil } errors { code path }
  }
}`

interface Endpoint {
  publicClientId: string
  webhookUrl: string | null
  previousUntil: string | null
}

async function endpointOf(browser: ConsoleBrowser): Promise<Endpoint> {
  const { body } = await browser.graphql(ENDPOINT)
  const [endpoint] = (body.data?.['account'] as { integrations: Endpoint[] }).integrations
  if (!endpoint) throw new Error('there is no integration')
  return endpoint
}

describe('the address that events go to', () => {
  it.each(['ftp://shop.example', 'not an address', 'http://10.0.0.1/hook', 'https://user:secret@shop.example'])(
    'is refused with its field, and nothing is changed: %s',
    async (url) => {
      const { browser: owner } = await newOwner(harness)
      const { publicClientId: id } = await endpointOf(owner)
      const { body } = await owner.graphql(SET, { id, url })
      expect(body.data?.['setWebhookAddress']).toEqual({
        integration: null,
        errors: [{ code: 'VALIDATION_ERROR', path: ['url'] }],
      })
      expect(await endpointOf(owner)).toMatchObject({ webhookUrl: null })
    },
  )

  it('is no business of another tenant, nor is its secret', async () => {
    const [{ browser: one }, { browser: other }] = [await newOwner(harness), await newOwner(harness)]
    const { publicClientId: id } = await endpointOf(one)
    const secrets = () =>
      harness.sql('select webhook_secret from accounts.integration where public_client_id = $1', [id])
    const before = await secrets()
    for (const [query, variables] of [
      [SET, { id, url: 'https://shop.example' }],
      [ROTATE, { id }],
    ] as const)
      expect((await other.graphql(query, variables)).text).toContain('"NOT_FOUND"')
    const test =
      'mutation ($id: ID!) { sendTestWebhook(input: { type: "payment.success", publicClientId: $id }) { errors { code } } }'
    expect((await other.graphql(test, { id })).text).toContain('"VALIDATION_ERROR"')
    expect(await endpointOf(one)).toMatchObject({ webhookUrl: null, previousUntil: null })
    expect(await secrets()).toEqual(before)
  })

  it('and its secret are changed only soon after a proof, and each change is written down without what is secret', async () => {
    const { browser: owner } = await newOwner(harness)
    const { publicClientId: id } = await endpointOf(owner)
    await owner.graphql(SET, { id, url: 'http://127.0.0.1:9/hook-of-mine' })
    const { body } = await owner.graphql(ROTATE, { id, hours: 0 })
    const { rotatedWebhookSecret: made } = body.data?.['rotateWebhookSecret'] as {
      rotatedWebhookSecret: { secret: string }
    }
    expect(made.secret).toMatch(/^whsec_/)
    for (const hours of [-1, 169])
      expect((await owner.graphql(ROTATE, { id, hours })).text).toContain('"path":["overlapHours"]')
    const [row] = await harness.sql(`select json_agg(e)::text as stored from kernel.audit_entry e
      where operation in ('setWebhookAddress', 'rotateWebhookSecret')`)
    const stored = String(row?.['stored'])
    expect(stored).toContain(id)
    for (const hidden of ['hook-of-mine', made.secret]) expect(stored).not.toContain(hidden)
    const [kept] = await harness.sql('select json_agg(i)::text as stored from accounts.integration i')
    expect(kept?.['stored']).not.toContain(made.secret.slice('whsec_'.length))
    harness.clock.advance(10 * 60_000)
    for (const query of [SET, ROTATE])
      expect((await owner.graphql(query, { id, url: null })).text).toContain('"PROOF_REQUIRED"')
    expect(await endpointOf(owner)).toMatchObject({ webhookUrl: 'http://127.0.0.1:9/hook-of-mine' })
  })
})

describe.skipIf(noBrowser)(`the endpoints at the console${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it('get an address and another secret after a proof; a test event comes there, signed with both secrets', async () => {
    const secrets: string[] = []
    const receiver = await startReceiver((_message, response) => {
      response.end(`taken, I check with ${secrets.join(' and ')}`)
    })
    const email = 'developer@shop.example'
    const opened = await openAs(harness, email, '/webhooks', { role: 'developer' })
    const { page, part, assertClean } = opened
    await part('change-address').waitFor()
    // Signing in was a proof; ten minutes later another one is wanted.
    harness.clock.advance(11 * 60_000)
    await part('change-address').click()
    await part('address').fill('http://10.0.0.1/hook')
    await part('save-address').click()
    await proveAt({ part }, harness, email)
    await part('refusal').getByText('public addresses').waitFor()
    await part('address').fill(`${receiver.url}/shop`)
    await part('save-address').click()
    await part('endpoint-list').getByText(`${receiver.url}/shop`).waitFor()

    const secretFrom = async (): Promise<string> => {
      await part('new-secret').click()
      await part('make-secret').click()
      await part('made-secret').waitFor()
      const secret = await part('made-secret').inputValue()
      await part('secret-kept').click()
      return secret
    }
    const [older, newer] = [await secretFrom(), await secretFrom()]
    secrets.push(older, newer)
    await part('old-secret').waitFor()
    expect(await page.content()).not.toContain(newer)

    await part('send-test').click()
    await part('said').waitFor()
    await until('the test event has come', () => receiver.received.length === 1)
    const [message] = receiver.received
    const headers = message?.headers as Record<string, string>
    expect(message?.path).toBe('/shop')
    for (const secret of [older, newer])
      expect(new Webhook(secret).verify(message?.text ?? '', headers)).toMatchObject({ type: 'payment.success' })
    await part('delivery-list').getByText('Delivered').first().waitFor()
    await part('open-delivery').first().click()
    const answer = part('answer').getByText('taken, I check with')
    await answer.waitFor()
    for (const secret of secrets) expect(await answer.innerText()).not.toContain(secret.slice('whsec_'.length, 20))
    expect(await violations(page)).toEqual([])
    assertClean()
  })
})
