import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { atEnd, ownFolder } from '../../../test/harness/at-end.js'
import { projectRoot } from '../../../kernel/root.js'
import { runIntoClosedPipe } from '../../../test/harness/closed-pipe.js'
import { startHarness } from '../../../test/harness/harness.js'
import { RECEIVERS } from '../../../test/harness/chains.js'
import { underpaidPayment } from '../../../test/harness/underpaid.js'
import { serve } from '../../../test/harness/serve.js'
import { until } from '../../../test/harness/until.js'
import { verifyWebhook } from '../webhooks.js'
import { cli } from './cli.js'

const harness = await startHarness()
const { tenant } = harness
const folder = await ownFolder()
const credentialsFile = join(folder, 'config', 'payments', 'credentials.json')
const sandboxFile = join(folder, 'sandbox.json')
await writeFile(
  sandboxFile,
  JSON.stringify({
    ...{ rest_url: harness.url, api_key: tenant.key, platform_key: await harness.dashboard.platformKey() },
    ...{ public_client_id: tenant.tenantData.public_client_id, receivers: { evm: RECEIVERS } },
    ...{ pix_url: harness.pixUrl, card_url: harness.cardUrl, kyc_url: harness.kycUrl, mailbox_url: harness.mailboxUrl },
  }),
)

interface Run {
  code: number
  out: string
  err: string
}

/** Runs a command line in this process, until its end or that of the signal. */
function start(
  args: string,
  { apiKey, input = '', signal = AbortSignal.any([]) }: { apiKey?: string; input?: string; signal?: AbortSignal } = {},
) {
  const run: Run = { code: -1, out: '', err: '' }
  const ended = cli(args.split(' ').filter(Boolean), {
    out: (line) => void (run.out += `${line}\n`),
    err: (line) => void (run.err += `${line}\n`),
    readInput: () => Promise.resolve(input),
    env: { url: apiKey === undefined ? undefined : harness.url, apiKey, credentialsFile },
    signal,
  }).then((code) => ({ ...run, code }))
  return { run, ended }
}

const run = (args: string, apiKey?: string, input?: string) =>
  start(args, { ...(apiKey !== undefined && { apiKey }), ...(input !== undefined && { input }) }).ended
const json = ({ out }: Run) => JSON.parse(out) as Record<string, unknown> & Record<string, unknown>[]
const triggered = async (event: string) => json(await run(`trigger ${event} --json --sandbox ${sandboxFile}`))

describe('payments login', () => {
  it('keeps a key that is good where only its owner can read it, and the other commands use it', async () => {
    expect(await run('list')).toMatchObject({ code: 1, err: expect.stringContaining('payments login') })
    const refused = await run(`login --url ${harness.url}`, undefined, 'sk_test_wrong\n')
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('unauthorized') })
    expect(await run(`login --url ${harness.url}`, undefined, `${tenant.key}\n`)).toMatchObject({ code: 0 })
    expect((await stat(credentialsFile)).mode & 0o777).toBe(0o600)
    expect(await readFile(credentialsFile, 'utf8')).toContain(tenant.key)
    expect((await run('list --json')).code).toBe(0)
  })
})

describe('a command line that is wrong', () => {
  it.each([
    ['', 2, 'Usage: payments COMMAND'],
    ['nothing', 2, 'There is no command "nothing"'],
    ['show', 2, 'ID is missing'],
    ['show a b', 2, '"b" is too much'],
    ['list --limit many', 2, '--limit has to be a whole number from 1 to 1000'],
    ['list --unknown', 2, "Unknown option '--unknown'"],
    ['listen', 2, '--forward-to needs an address'],
    ['clock advance soon', 2, 'TIME has to look like'],
    [`trigger nothing --sandbox ${sandboxFile}`, 2, '"nothing" cannot be triggered'],
    ['trigger payment.success --sandbox /nowhere', 1, '/nowhere cannot be read'],
    ['login --sandbox /nowhere', 1, '--sandbox needs the sandbox.json'],
    ['show c000000000000000000000000', 1, 'payment_not_found'],
    ['list --status nothing', 1, 'status: must be one of'],
  ])('%s ends with %d and says why', async (args, code, words) => {
    const ended = await run(args, tenant.key)
    expect([ended.code, ended.out + ended.err]).toEqual([code, expect.stringContaining(words)])
  })

  it('is helped by --help', async () => {
    expect(await run('--help')).toMatchObject({ code: 0, out: expect.stringContaining('webhooks replay ID') })
    expect((await run('trigger --help')).out).toContain("the address of the sandbox's integration")
    expect(await run('refund --help')).toMatchObject({ code: 0, out: expect.stringContaining('--amount VALUE') })
  })
})

describe('a service that does not answer', () => {
  it('is named by the address that was tried', async () => {
    const ended = await cli(['list'], {
      out: () => undefined,
      err: (line) => expect(line).toContain('http://127.0.0.1:9/'),
      readInput: () => Promise.resolve(''),
      env: { url: 'http://127.0.0.1:9', apiKey: tenant.key, credentialsFile },
      signal: AbortSignal.any([]),
    })
    expect(ended).toBe(1)
    expect.assertions(2)
  })
})

describe('a reader that has enough', () => {
  it('ends the command quietly', async () => {
    const program = join(projectRoot, 'client/dist/cli/main.js')
    expect(await runIntoClosedPipe([program, '--help'])).toEqual({ code: 0, err: '' })
  })
})

describe('payments trigger', () => {
  it.each(['payment.success', 'payment.error', 'payment.reproved', 'order.created', 'refund.succeeded'])(
    'makes %s happen, really',
    async (event) => {
      const { id } = await triggered(event)
      await until(`${event} is in the log`, async () => {
        const deliveries = json(await run('webhooks list --json --limit 100', tenant.key))
        return deliveries.some((delivery) => delivery['type'] === event && delivery['resource_id'] === id)
      })
    },
    60_000,
  )

  it('sends the events to the address of the integration, where it has one', async () => {
    const own = 'http://127.0.0.1:9/own'
    await harness.dashboard.setWebhookUrl(tenant, own)
    const { id } = await triggered('order.created').finally(() => harness.dashboard.setWebhookUrl(tenant, null))
    const urls = json(await run('webhooks list --json --limit 100', tenant.key)).filter(
      (delivery) => delivery['resource_id'] === id,
    )
    expect(new Set(urls.map(({ url }) => url))).toEqual(new Set([own]))
  })

  it('says what to do where the account has as many orders as it may', async () => {
    const orders = await Promise.all(Array.from({ length: 20 }, () => tenant.createOrder()))
    const full = await run(`trigger order.created --sandbox ${sandboxFile}`)
    expect(full).toMatchObject({ code: 1, err: expect.stringMatching(/order_limit_reached: .*DELETE \/order/) })
    await Promise.all(orders.map((id) => harness.rest('DELETE', `/order/${id}`, { as: tenant })))
  })

  it('leaves no order behind', async () => {
    const { body } = await tenant.get('/order/list')
    expect(body.data?.['orders']).toEqual([])
  })
})

describe('payments list, show, refund and webhooks', () => {
  it('work on what is there', async () => {
    const { id } = await triggered('payment.success')
    expect((await run('payments list', tenant.key)).out).toContain(String(id))
    expect((await run(`show ${String(id)}`, tenant.key)).out).toMatch(/status +success/)
    const payments = json(await run('list --json --status success --limit 50', tenant.key))
    const card = payments.find((payment) => payment['transaction_type'] === 'cardfiat')
    const refund = json(await run(`refund ${String(card?.['id'])} --amount 1.5 --reason duplicate --json`, tenant.key))
    expect(refund).toMatchObject({ payment_id: card?.['id'], reason: 'duplicate' })
    const tooMuch = await run(`refund ${String(card?.['id'])} --amount 1000`, tenant.key)
    expect(tooMuch).toMatchObject({ code: 1, err: expect.stringContaining('refund_exceeds_payment') })
    const [delivery] = json(await run('webhooks list --json', tenant.key))
    expect(await run(`webhooks replay ${String(delivery?.['id'])}`, tenant.key)).toMatchObject({ code: 0 })
  })
})

describe('payments clock advance', () => {
  it('moves the clock of the sandbox', async () => {
    const before = harness.clock.now().getTime()
    expect(await run(`clock advance 2m --sandbox ${sandboxFile}`)).toMatchObject({ code: 0 })
    expect(harness.clock.now().getTime() - before).toBeGreaterThanOrEqual(120_000)
  })
})

describe('payments listen', () => {
  it('forwards each event once and in order, signed so that the client verifies it, and ends with its signal', async () => {
    const received: { type: string; id: unknown }[] = []
    const secret = `whsec_${Buffer.alloc(32, 3).toString('base64')}`
    const { url } = await serve((request, response) => {
      void text(request).then(async (body) => {
        const { type, data } = await verifyWebhook({ body, headers: request.headers, secret })
        received.push({ type, id: (data as { id?: unknown }).id })
        response.writeHead(204).end()
      })
    })
    const stopping = new AbortController()
    atEnd(() => stopping.abort())
    const { run: listening, ended } = start(`listen --forward-to ${url}/hook --secret ${secret} --poll-ms 20`, {
      apiKey: tenant.key,
      signal: stopping.signal,
    })
    await until('it listens', () => Promise.resolve(listening.out.includes('forwarded to')))
    const { id } = await triggered('payment.success')
    await until('all came', () => Promise.resolve(received.some(({ type }) => type === 'payment.success')))
    expect(received.filter((event) => event.id === id).map(({ type }) => type)).toEqual([
      'payment.registered',
      'payment.pending',
      'payment.success',
    ])
    stopping.abort()
    expect((await ended).code).toBe(0)
    expect(listening.out).toContain(' 204')
  })
})

describe('payments accept and give back', () => {
  it('decide on an underpaid payment, and say why they cannot', async () => {
    const { id } = await triggered('payment.success')
    const wallet = harness.chain.newReceiver()
    for (const command of [`accept ${String(id)}`, `give back ${String(id)} ${wallet}`]) {
      const ended = await run(command, tenant.key)
      expect(ended).toMatchObject({
        code: 1,
        err: expect.stringMatching(/payment_(?:already_processed|not_refundable): /),
      })
    }
    expect(await run('give back', tenant.key)).toMatchObject({ code: 2 })
    const underpaid = await underpaidPayment(harness)
    expect(await run(`accept ${underpaid}`, tenant.key)).toMatchObject({ code: 0, out: expect.stringContaining('18') })
  })
})
