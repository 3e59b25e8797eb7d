import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createContext, Script } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { describe, expect, it } from 'vitest'
import { projectRoot } from '../../kernel/root.js'
import { ownFolder } from '../../test/harness/at-end.js'
import { machineEnv } from '../../test/harness/env.js'
import { sampleOf, samplesIn } from '../../test/harness/guide-samples.js'
import { startHarness } from '../../test/harness/harness.js'
import { installPackedClient } from '../../test/harness/packed-client.js'
import { orderBody } from '../../test/harness/rest-payments.js'
import { signWebhook } from './webhooks.js'

const run = promisify(execFile)
const MAX_BYTES = 15_000

const harness = await startHarness()
const { folder: shop, files } = await installPackedClient()

/** All that a program can import, but for the command line, as one script that sets `client`. */
async function bundle(): Promise<string> {
  const folder = await ownFolder()
  const entry = join(folder, 'entry.js')
  const files = ['client', 'pages', 'webhooks', 'api-error', 'generated/errors']
  const imports = files.map((file) => `export * from ${JSON.stringify(join(projectRoot, 'client/src', `${file}.ts`))}`)
  await writeFile(entry, imports.join('\n'))
  const built = (await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, lib: { entry, formats: ['iife'], name: 'client' } },
  })) as Rolldown.RolldownOutput[]
  return built[0]?.output[0].code ?? ''
}

describe('the package', () => {
  it('is at most 15 kB compressed, and runs where there are web standards only', async () => {
    const code = await bundle()
    expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(MAX_BYTES)
    // What Node, Deno, Bun, workers and browsers all have; `process`, `Buffer` and `require` are not there.
    const standards = {
      URL,
      URLSearchParams,
      Headers,
      AbortSignal,
      TextEncoder,
      TextDecoder,
      TextDecoderStream,
      crypto,
      fetch,
      atob,
      btoa,
      setTimeout,
      clearTimeout,
    }
    const context = createContext({ ...standards, options: { baseUrl: harness.url, apiKey: harness.tenant.key } })
    new Script(code).runInContext(context)
    const answer: unknown = await new Script('client.createClient(options).configProducts()').runInContext(context)
    expect(answer).toMatchObject({ status: 'products_retrieved', data: { pix: true } })
    const refused: unknown = await new Script(
      `client.createClient(options).getOrder({ order_id: 'x' }).catch((error) => error instanceof client.OrderNotFoundError)`,
    ).runInContext(context)
    expect(refused).toBe(true)
  })

  it('has no dependency, and the version of the product', async () => {
    const read = async (path: string) =>
      JSON.parse(await readFile(join(projectRoot, path), 'utf8')) as Record<string, unknown>
    const [own, product] = [await read('client/package.json'), await read('package.json')]
    expect(own['version']).toBe(product['version'])
    expect([own['dependencies'], own['peerDependencies']]).toEqual([undefined, undefined])
  })

  it('is packed, installed in a foreign folder, and used there with its types and its command', async () => {
    const env = { ...machineEnv, PAYMENTS_API_KEY: harness.tenant.key, PAYMENTS_URL: harness.url }
    expect(files.filter((path) => /\.test\.|\/src\//.test(path))).toEqual([])
    await writeFile(join(shop, 'use.ts'), PROGRAM)
    const compilerOptions = {
      strict: true,
      noEmit: true,
      module: 'nodenext',
      target: 'es2023',
      lib: ['es2023', 'dom'],
      types: [],
    }
    await writeFile(join(shop, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }))
    await run(process.execPath, [join(projectRoot, 'node_modules/typescript/bin/tsc')], { cwd: shop, env })
    const used = await run(process.execPath, ['use.ts', harness.url, harness.tenant.key], { cwd: shop, env })
    expect(used.stdout.trim()).toBe('products_retrieved order_not_found')
    const listed = await run(process.execPath, ['node_modules/.bin/payments', 'list', '--json'], { cwd: shop, env })
    expect(JSON.parse(listed.stdout)).toEqual([])
  }, 120_000)

  it('does what the samples of the guide and of its README say', async () => {
    const secret = `whsec_${Buffer.from('a secret of 24 bytes ...').toString('base64')}`
    const body = JSON.stringify({ type: 'payment.success' })
    const headers = await signWebhook('msg_1', new Date(), body, secret)
    const id = await harness.tenant.register()
    const guide = sampleOf('programs', 'ts')
    expect(await printedBy(guide, { id, body, headers, secret }, 'data.status, event.type')).toBe(
      'registered payment.success',
    )
    const { body: order } = await harness.tenant.post('/order/create', orderBody())
    const order_id = order.data?.['order_id']
    const readme = samplesIn('client/README.md').find(({ language }) => language === 'ts')?.code ?? ''
    const { tenantData: tenant_data } = harness.tenant
    expect(await printedBy(readme, { order_id, order_code: order_id, tenant_data }, 'typeof data.payment_id')).toBe(
      'string',
    )
  })
})

/** Runs a sample with what it leaves open, where the package is installed. @returns what the expression prints */
async function printedBy(sample: string, given: Record<string, unknown>, printed: string): Promise<string> {
  const open = { apiKey: harness.tenant.key, ...given }
  const program = `const { ${Object.keys(open).join(', ')} } = JSON.parse(process.argv[2])\n${sample}\nconsole.log(${printed})\n`
  await writeFile(join(shop, 'sample.ts'), program.replace('https://api.example.com', harness.url))
  const { stdout } = await run(process.execPath, ['sample.ts', JSON.stringify(open)], { cwd: shop, env: machineEnv })
  return stdout.trim()
}

const PROGRAM = `
import { createClient } from '@payments-api/client'
import { OrderNotFoundError } from '@payments-api/client/errors'
declare const process: { argv: string[] }
const client = createClient({ baseUrl: process.argv[2]!, apiKey: process.argv[3]! })
const { status, data } = await client.configProducts()
const pix: boolean = data.pix
// @ts-expect-error: the answer has no such field
void data.nothing
const code = await client.getOrder({ order_id: 'x' }).catch((error: unknown) => error instanceof OrderNotFoundError && pix ? error.code : 'wrong')
console.log(status, code)
`
