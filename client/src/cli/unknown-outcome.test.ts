import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ownFolder } from '../../../test/harness/at-end.js'
import { startHarness } from '../../../test/harness/harness.js'
import { RECEIVERS } from '../../../test/harness/chains.js'
import { serve } from '../../../test/harness/serve.js'
import { createClient } from '../client.js'
import { cli } from './cli.js'
import { CARDS, paidByCard } from './trigger-payments.js'

const harness = await startHarness()
const { tenant } = harness
const credentialsFile = join(await ownFolder(), 'credentials.json')
const client = createClient({ baseUrl: harness.url, apiKey: tenant.key })

/** Runs a command line in this process. */
async function run(args: readonly string[], url = harness.url, signal = AbortSignal.any([])) {
  const lines: string[] = []
  const tell = (line: string) => void lines.push(line)
  const env = { url, apiKey: tenant.key, credentialsFile }
  const code = await cli(args, { out: tell, err: tell, readInput: () => Promise.resolve(''), env, signal })
  return { code, text: lines.join('\n') }
}

/** The words of the command that a text says to run, without the quotes of a shell. */
const repeatedBy = (text: string) =>
  (/^ {2}payments (.+)$/m.exec(text)?.[1] ?? '').split(' ').map((word) => word.replace(/^'(.*)'$/, '$1'))

/** A service that does what it is asked once and dies before it answers; nobody listens after that. */
async function dyingService() {
  const asked: { key: unknown; path: string | undefined }[] = []
  const { url } = await serve((request, response) => {
    asked.push({ key: request.headers['idempotency-key'], path: request.url })
    if (asked.length > 1) {
      response.destroy()
      return
    }
    void forwarded(request.method ?? '', request.url ?? '', request.headers['idempotency-key'], request).finally(() =>
      response.destroy(),
    )
  })
  return { url, asked }
}

async function forwarded(method: string, path: string, key: unknown, body: AsyncIterable<Buffer>): Promise<void> {
  const parts: Buffer[] = []
  for await (const part of body) parts.push(part)
  const headers = { 'x-api-key': tenant.key, 'content-type': 'application/json', 'idempotency-key': String(key) }
  const response = await fetch(harness.url + path, { method, headers, body: Buffer.concat(parts) })
  expect(response.ok).toBe(true)
}

async function paidCard(): Promise<string> {
  const sandbox = {
    ...{ rest_url: harness.url, api_key: tenant.key, platform_key: '', receivers: { evm: RECEIVERS } },
    ...{ public_client_id: tenant.tenantData.public_client_id },
    ...{ pix_url: harness.pixUrl, card_url: harness.cardUrl, kyc_url: harness.kycUrl, mailbox_url: harness.mailboxUrl },
  } as unknown as Parameters<typeof paidByCard>[0]['sandbox']
  return paidByCard({ client, sandbox, webhookUrl: 'http://127.0.0.1:9/' }, CARDS.paid, 'success')
}

describe('a command whose answer was lost', () => {
  it('says that it may have happened, and does nothing twice where it is run as it says', async () => {
    const id = await paidCard()
    const { url, asked } = await dyingService()
    const lost = await run(['refund', id, '--amount', '10', '--reason', 'duplicate'], url)
    expect(lost).toMatchObject({ code: 1, text: expect.stringContaining('It may have happened') })
    expect(new Set(asked.map(({ key }) => key)).size).toBe(1)
    const again = repeatedBy(lost.text)
    expect(again).toEqual(expect.arrayContaining(['refund', id, '--idempotency-key', asked[0]?.key]))
    expect(await run(again)).toMatchObject({ code: 0, text: expect.stringContaining('Refund ') })
    expect((await client.listRefunds({ id })).data.refunds).toHaveLength(1)
  })

  it('prints the key that it was given', async () => {
    const { url } = await serve((_request, response) => response.writeHead(500).end('{}'))
    const args = ['refund', 'c1', '--reason', "payer's wish", '--idempotency-key', 'refund of order 7']
    const lost = await run(args, url)
    expect(lost.text).toContain(
      `  payments refund c1 --reason 'payer'\\''s wish' --idempotency-key 'refund of order 7'`,
    )
  })

  it.each([
    ['refund', 'c1'],
    ['accept', 'c1'],
    ['give', 'back', 'c1', 'wallet'],
    ['webhooks', 'replay', 'e1'],
  ])('is told so of every command that changes something: %s %s', async (...args) => {
    const { url } = await serve((_request, response) => response.writeHead(504).end())
    const words = args.filter((word) => typeof word === 'string')
    const lost = await run([...words, '--idempotency-key', 'k'], url)
    expect(lost).toMatchObject({ code: 1, text: expect.stringContaining('It may have happened') })
    expect(repeatedBy(lost.text)).toEqual([...words, '--idempotency-key', 'k'])
  })

  it('is told so where GraphQL says that it does not know, or that the first is still running', async () => {
    for (const code of ['PROVIDER_TIMEOUT', 'IDEMPOTENCY_IN_PROGRESS', 'SERVER_ERROR']) {
      const errors = [{ message: 'late', extensions: { code } }]
      const { url } = await serve((_request, response) => response.end(JSON.stringify({ errors })))
      expect(await run(['accept', 'c1'], url)).toMatchObject({ text: expect.stringContaining('It may have happened') })
    }
    const payload = { payment: null, errors: [{ code: 'PROVIDER_TIMEOUT', message: 'late', path: null }] }
    const { url } = await serve((_request, response) => response.end(JSON.stringify({ data: { payload } })))
    expect(await run(['accept', 'c1'], url)).toMatchObject({ text: expect.stringContaining('It may have happened') })
  })

  it('is told so where a person ends it', async () => {
    const ending = new AbortController()
    const { url } = await serve(() => ending.abort())
    const ended = await run(['refund', 'c1'], url, ending.signal)
    expect(ended).toMatchObject({ code: 1, text: expect.stringContaining('It may have happened') })
  })
})

describe('a command that was refused', () => {
  it('is told why, and not that it may have happened', async () => {
    const refused = await run(['refund', 'c000000000000000000000000'])
    expect(refused).toMatchObject({ code: 1, text: expect.stringContaining('payment_not_found') })
    expect(refused.text).not.toContain('may have happened')
  })

  it.each(['', ' ', 'ключ', 'k'.repeat(256)])('has a key that cannot be sent: "%s"', async (key) => {
    const refused = await run(['refund', 'c1', '--idempotency-key', key], 'http://127.0.0.1:9')
    expect(refused).toMatchObject({ code: 2, text: expect.stringContaining('--idempotency-key has to be') })
  })
})
