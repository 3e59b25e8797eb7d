import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { adjustableClock } from '../../kernel/clock.js'
import { startKycSimulator, type KycSimulator } from './simulator.js'
import { ownFolder, ending } from '../../test/harness/at-end.js'
import { serve } from '../../test/harness/serve.js'

const clock = adjustableClock()
const OPTIONS = { port: 0, apiKey: 'key', webhookSecret: 'secret', workflowIds: ['workflow'], clock }

/** What came to the address of the webhooks, and what it answers. */
const received: { headers: IncomingHttpHeaders; body: Record<string, unknown> }[] = []
let answer = 200
const { url: hooksUrl } = await serve((request, response) => {
  void text(request).then((body) => {
    received.push({ headers: request.headers, body: JSON.parse(body) as Record<string, unknown> })
    response.writeHead(answer).end()
  })
})

const folder = await ownFolder()
let simulator = await start()

async function start(): Promise<KycSimulator> {
  const started = ending(await startKycSimulator({ ...OPTIONS, file: join(folder, 'sessions.json') }))
  started.setWebhookUrl(`${hooksUrl}/`)
  return started
}

async function call(method: string, path: string, body?: unknown, headers = { 'x-api-key': 'key' }) {
  const response = await fetch(`${simulator.url}${path}`, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const content = await response.text()
  return { status: response.status, body: content === '' ? {} : (JSON.parse(content) as Record<string, unknown>) }
}

const create = async (vendorData: string): Promise<Record<string, string>> =>
  (await call('POST', '/v3/session/', { workflow_id: 'workflow', vendor_data: vendorData })).body as Record<
    string,
    string
  >
/** What the provider has of a session. */
const decisionOf = async (id: string | undefined) => (await call('GET', `/v3/session/${String(id)}/decision/`)).body
const decide = (id: string | undefined, body: object) => call('POST', `/sandbox/session/${String(id)}/decide`, body)

describe('the verification simulator', () => {
  it('refuses what the provider refuses', async () => {
    const good = { workflow_id: 'workflow' }
    expect((await call('POST', '/v3/session/', good, { 'x-api-key': 'wrong' })).status).toBe(403)
    expect((await call('POST', '/v3/session/', good, {} as never)).status).toBe(401)
    for (const body of [{}, { workflow_id: 'other' }, { ...good, vendor_data: 7 }, { ...good, callback: 'nowhere' }])
      expect((await call('POST', '/v3/session/', body)).status).toBe(400)
    for (const path of ['/v3/session/none/decision/', '/v3/session/', '/v2/session/'])
      expect((await call('GET', path)).status).toBe(404)
    const { session_id: id } = await create('refusals')
    expect((await call('PATCH', `/v3/session/${id}/update-status/`, { new_status: 'Abandoned' })).status).toBe(400)
    expect((await decide(id, { status: 'approved' })).status).toBe(400)
    expect((await decide('none', { status: 'Approved' })).status).toBe(404)
  })

  it('starts a session when its page is opened, and ends it by a button', async () => {
    const { session_id: id, url = '' } = await create('page')
    expect(await decisionOf(id)).toMatchObject({
      status: 'Not Started',
      ip_analyses: [],
    })
    expect(await (await fetch(url)).text()).toContain('<form method="post">')
    expect((await decisionOf(id))['status']).toBe('In Progress')
    const form = new URLSearchParams({ status: 'Declined', blocklisted: 'true' })
    expect(await (await fetch(url, { method: 'POST', body: form })).text()).not.toContain('<form')
    expect(await decisionOf(id)).toMatchObject({
      status: 'Declined',
      id_verifications: [{ matches: [{ is_blocklisted: true }] }],
    })
    expect((await fetch(url, { method: 'POST', body: form })).status).toBe(404)
    expect((await fetch(`${simulator.url}/session/unknown`)).status).toBe(404)
  })

  it('repeats a webhook that failed after one and after four minutes, and then gives up', async () => {
    const { session_id: id } = await create('webhooks')
    const mine = () => received.filter(({ body }) => body['session_id'] === id)
    answer = 500
    await decide(id, { status: 'Approved' })
    expect(mine()).toHaveLength(1)
    expect(mine()[0]?.headers).toMatchObject({
      'user-agent': 'DiditWebhook/2.0',
      'x-signature': expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(mine()[0]?.body).toMatchObject({
      status: 'Approved',
      webhook_type: 'status.updated',
      decision: { status: 'Approved' },
    })
    for (const [seconds, count] of [
      [59, 1],
      [2, 2],
      [239, 2],
      [2, 3],
      [3600, 3],
    ] as const) {
      clock.advance(seconds * 1000)
      await simulator.advanceClock()
      expect(mine()).toHaveLength(count)
    }
    answer = 200
  })

  it('lets time end sessions that nobody goes on with', async () => {
    const [unopened, left] = [await create('unopened'), await create('left')]
    await decide(left['session_id'], { status: 'In Progress' })
    clock.advance(7 * 86_400_000)
    await simulator.advanceClock()
    const statusOf = async ({ session_id: id }: Record<string, string>) => (await decisionOf(id))['status']
    expect([await statusOf(unopened), await statusOf(left)]).toEqual(['Expired', 'Abandoned'])
  })

  it('knows its sessions after a restart', async () => {
    const created = await create('restart')
    await simulator.close()
    simulator = await start()
    expect(await decisionOf(created['session_id'])).toMatchObject({
      session_id: created['session_id'],
      vendor_data: 'restart',
    })
    expect((await create('restart'))['session_id']).toBe(created['session_id'])
  })
})
