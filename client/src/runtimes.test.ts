import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build, type Rolldown } from 'vite'
import { beforeAll, describe, expect, it } from 'vitest'
import { ownFolder } from '../../test/harness/at-end.js'
import { machineEnv } from '../../test/harness/env.js'
import { startHarness } from '../../test/harness/harness.js'
import { installPackedClient } from '../../test/harness/packed-client.js'
import { ifInstalled, isInstalled } from '../../test/harness/program.js'
import { registerBody } from '../../test/harness/rest-payments.js'

const run = promisify(execFile)

/**
 * What each runtime has to have: requests and refusals, lists, server-sent events, WebCrypto.
 * Registers, is refused, pages through lists, follows a payment and verifies a webhook; throws where one of it is wrong.
 */
const PROGRAM = `
import { createClient } from '@payments-api/client'
import { OrderNotFoundError } from '@payments-api/client/errors'
import { eachPayment } from '@payments-api/client/pages'
import { signWebhook, verifyWebhook } from '@payments-api/client/webhooks'

export async function check({ baseUrl, apiKey, order }) {
  const client = createClient({ baseUrl, apiKey })
  const { data: { payment_id } } = await client.registerPayment(order)
  const refusal = await client.getOrder({ order_id: 'x' }).catch((error) => error)
  if (!(refusal instanceof OrderNotFoundError)) throw refusal
  const listed = []
  for await (const { id } of eachPayment(client)) listed.push(id)
  if (!listed.includes(payment_id)) throw new Error('the payment is not in the list')
  const statuses = []
  for await (const event of client.paymentEvents(payment_id)) {
    statuses.push(event.data.data.status)
    if (statuses.length === 1) await client.cancelPayment({ id: payment_id })
    else break
  }
  const [secret, body] = ['whsec_' + btoa('a secret of 24 bytes in it'), JSON.stringify({ type: 'payment.success' })]
  const headers = await signWebhook('msg_1', new Date(), body, secret)
  const { type } = await verifyWebhook({ body, headers, secret })
  return [statuses.join(' '), type].join(' ')
}
`
const SEEN = 'registered error payment.success'

const harness = await startHarness()
let folder = ''
let input = ''

beforeAll(async () => {
  folder = (await installPackedClient()).folder
  await writeFile(join(folder, 'check.js'), PROGRAM)
  await writeFile(
    join(folder, 'main.js'),
    `import { check } from './check.js'\nimport input from './input.json' with { type: 'json' }\nconsole.log(await check(input))\n`,
  )
  input = JSON.stringify({
    baseUrl: harness.url,
    apiKey: harness.tenant.key,
    order: registerBody(harness.tenant),
  })
  await writeFile(join(folder, 'input.json'), input)
})

/** Runs in the folder that the package was installed into, and gives the last line that was printed. */
async function lastLineOf(program: string, args: readonly string[], cwd = folder): Promise<string> {
  const { stdout, stderr } = await run(program, args, { cwd, env: { ...machineEnv, DENO_DIR: join(folder, '.deno') } })
  return `${stderr}${stdout}`.trim().split('\n').at(-1) ?? ''
}

describe('the packed client runs', () => {
  it('in Node', async () => {
    expect(await lastLineOf(process.execPath, ['main.js'])).toBe(SEEN)
  })

  it.skipIf(!isInstalled('deno'))(`in Deno${ifInstalled('deno')}`, async () => {
    const permissions = ['--allow-net=127.0.0.1,localhost', '--node-modules-dir=manual', '--no-lock']
    expect(await lastLineOf('deno', ['run', ...permissions, 'main.js'])).toBe(SEEN)
  })

  it.skipIf(!isInstalled('bun'))(`in Bun${ifInstalled('bun')}`, async () => {
    expect(await lastLineOf('bun', ['run', 'main.js'])).toBe(SEEN)
  })

  it.skipIf(!isInstalled('workerd'))(`in a worker${ifInstalled('workerd')}`, async () => {
    const worker = await ownFolder()
    await writeFile(
      join(folder, 'worker.js'),
      `import { check } from './check.js'\nexport default { test: async () => console.log(await check(${input})) }\n`,
    )
    const built = (await build({
      root: folder,
      configFile: false,
      logLevel: 'silent',
      build: { write: false, lib: { entry: 'worker.js', formats: ['es'] } },
    })) as Rolldown.RolldownOutput[]
    await writeFile(join(worker, 'worker.js'), built[0]?.output[0].code ?? '')
    await writeFile(join(worker, 'worker.capnp'), WORKER)
    expect(await lastLineOf('workerd', ['test', 'worker.capnp'], worker)).toContain(SEEN)
  })
})

/** One worker without any module of Node's, which may reach this machine. */
const WORKER = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    ( name = "main", worker = (
        modules = [ ( name = "worker.js", esModule = embed "worker.js" ) ],
        compatibilityDate = "2026-01-01",
        globalOutbound = "network" ) ),
    ( name = "network", network = ( allow = ["local", "private", "public"] ) )
  ]
);
`
