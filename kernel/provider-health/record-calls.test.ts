import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { createEvmClient } from '../../chains/evm/client.js'
import { atEnd } from '../../test/harness/at-end.js'
import { deadUrl, serve } from '../../test/harness/serve.js'
import { adjustableClock } from '../clock.js'
import { createHttpClient } from '../http.js'
import { createLog } from '../log.js'
import { createMailer } from '../mailer.js'
import { bucketOf, medianOf, noDurations } from './durations.js'
import { recordCalls } from './record-calls.js'

const log = createLog('silent')
const clock = adjustableClock()

/** A recorder of its own, and what it has of one provider. */
function record() {
  const recorder = recordCalls(clock)
  atEnd(() => Promise.resolve(recorder.close()))
  const seen = (provider: string) => recorder.read().providers.find((one) => one.provider === provider)
  const minutes = (provider: string) => recorder.read().minutes.filter((one) => one.provider === provider)
  return { recorder, seen, minutes }
}

it("a call that gets the provider's no is answered; one without a usable answer has failed, and how is told", async () => {
  const { seen, minutes } = record()
  let status = 200
  const { url } = await serve((_request, response) => response.writeHead(status).end('{}'))
  const client = createHttpClient({ provider: 'acme', baseUrl: `${url}/secret-path`, timeoutMs: 5_000, log })
  const host = new URL(url).host
  expect(seen('acme')).toEqual({ provider: 'acme', chain: '', host })
  const outcomes: unknown[] = []
  for (status of [200, 404, 422, 503, 401, 429, 302, 200]) {
    await client.request({ method: 'GET', path: '/x', idempotent: false }).catch(() => undefined)
    outcomes.push([status, seen('acme')?.state, seen('acme')?.lastFailure])
  }
  expect(outcomes).toEqual([
    [200, 'answering', undefined],
    [404, 'answering', undefined],
    [422, 'answering', undefined],
    [503, 'failing', 'unavailable'],
    [401, 'failing', 'auth'],
    [429, 'failing', 'rate_limited'],
    [302, 'failing', 'protocol'],
    [200, 'answering', 'protocol'],
  ])
  const counted = minutes('acme')
  expect(counted.reduce((sum, { calls }) => sum + calls, 0)).toBe(8)
  expect(counted.reduce((sum, { failures }) => sum + failures, 0)).toBe(4)
  expect(JSON.stringify(counted)).not.toContain('secret-path')
})

it('fails since its first failure, whichever come after it, and counts each try', async () => {
  const { seen, minutes } = record()
  const client = createHttpClient({
    ...{ provider: 'down', baseUrl: await deadUrl(), timeoutMs: 5_000, log },
    delay: () => {
      clock.advance(60_000)
      return Promise.resolve()
    },
  })
  const before = clock.now().getTime()
  await client.request({ method: 'GET', path: '/x', idempotent: true, retries: 2 }).catch(() => undefined)
  const { state, sinceMs = 0, lastFailureMs = 0 } = seen('down') ?? {}
  expect(state).toBe('failing')
  expect(sinceMs - before).toBeLessThan(60_000)
  expect(lastFailureMs - before).toBeGreaterThanOrEqual(120_000)
  expect(minutes('down').map(({ calls, failures }) => [calls, failures])).toEqual([
    [1, 1],
    [1, 1],
    [1, 1],
  ])
})

it("knows a chain's nodes by chain and host: nothing of an address that may hold a key", async () => {
  const { recorder, seen } = record()
  let answer: readonly [number, string] = [403, '{}']
  const { url } = await serve((_request, response) => response.writeHead(answer[0]).end(answer[1]))
  const { host } = new URL(url)
  const rpcUrl = `http://user:password@${host}/v2/api-key?token=t`
  const chain = { family: 'evm', name: 'testchain', chainId: 1, rpcUrl } as Parameters<typeof createEvmClient>[0]
  const client = createEvmClient(chain)
  const outcomes: unknown[] = []
  for (answer of [
    [403, '{}'],
    [200, 'no JSON'],
    [200, '{"jsonrpc":"2.0","id":0,"error":{"code":-32601,"message":"no such method"}}'],
    [200, '{"jsonrpc":"2.0","id":0,"result":"0x1"}'],
  ] as const) {
    await client.getBlockNumber().catch(() => undefined)
    outcomes.push([seen('chain')?.state, seen('chain')?.lastFailure])
  }
  expect(outcomes).toEqual([
    ['failing', 'auth'],
    ['failing', 'protocol'],
    ['answering', 'protocol'],
    ['answering', 'protocol'],
  ])
  expect(seen('chain')).toMatchObject({ chain: 'testchain', host })
  expect(JSON.stringify(recorder.read())).not.toMatch(/api-key|password|token/)
})

it('a mail server that hangs up has failed; one that refuses an address for good has done its business', async () => {
  const { seen } = record()
  const send = async (greeting: string): Promise<void> => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.write(greeting)
      socket.on('data', (chunk) => {
        const isRecipient = chunk.toString().startsWith('RCPT')
        if (greeting.startsWith('220')) socket.write(isRecipient ? '550 no such mailbox\r\n' : '250 ok\r\n')
      })
      if (!greeting.startsWith('220')) socket.end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const mailer = createMailer({ url: `smtp://127.0.0.1:${port}`, from: 'a@example.com', timeoutMs: 5_000, log })
    const message = { to: 'b@example.com', subject: 's', text: 't', html: 'h' }
    await mailer.send(message).catch(() => undefined)
    mailer.close()
    server.close()
  }
  await send('421 not now\r\n')
  expect(seen('smtp')).toMatchObject({ state: 'failing', lastFailure: 'unavailable' })
  const { recorder } = record()
  await send('220 hello\r\n')
  expect(recorder.read().providers.find(({ provider }) => provider === 'smtp')?.state).toBe('answering')
})

it('the median of times is right to a fifth', () => {
  const durations = noDurations()
  for (let ms = 1; ms <= 999; ms += 1) {
    const bucket = bucketOf(ms)
    durations[bucket] = (durations[bucket] ?? 0) + 1
  }
  expect(medianOf(durations)).toBeGreaterThan(500 * 0.8)
  expect(medianOf(durations)).toBeLessThan(500 * 1.2)
  expect(medianOf(noDurations())).toBeUndefined()
  // A minute, and what is longer, is in the last one.
  expect([bucketOf(0), bucketOf(3_600_000)]).toEqual([0, 63])
})
