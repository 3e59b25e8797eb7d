import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { adjustableClock } from '../../../../kernel/clock.js'
import { createLog } from '../../../../kernel/log.js'
import { projectRoot } from '../../../../kernel/root.js'
import { startPixSimulator } from '../../../../sandbox/pix/simulator.js'
import type { Simulator } from '../../../../sandbox/simulator.js'
import { ACCOUNT, CPF, CREDENTIALS, pixSettings } from '../../../../test/harness/payments.js'
import { until } from '../../../../test/harness/until.js'
import { createPixClient } from './client.js'
import { pixAdapter } from './adapter.js'
import { txidOf } from './txid.js'

/** `openapi.yaml` of bacen/pix-api, tag 2.9.0. It is not part of the project: without it there is nothing to compare with. */
const SPECIFICATION = join(projectRoot, '..', 'shared', 'data', 'pix-openapi-2.9.0.yaml')
const isThere = existsSync(SPECIFICATION)

type Json = Record<string, unknown>

/** One exchange with the provider, as it went over the wire. */
interface Exchange {
  method: string
  path: string
  requestBody: unknown
  status: number
  contentType: string
  body: unknown
}

describe.skipIf(!isThere)(
  isThere ? 'the API Pix 2.9.0' : 'the API Pix 2.9.0 (skipped: its openapi.yaml is not beside the project)',
  () => {
    let simulator: Simulator
    let validate: ReturnType<typeof specification>
    const clock = adjustableClock()
    const exchanges: Exchange[] = []
    const restoreFetch = globalThis.fetch

    beforeAll(async () => {
      validate = specification()
      simulator = await startPixSimulator({ port: 0, clock, credentials: CREDENTIALS, account: ACCOUNT })
      // The client's own requests are looked at on their way.
      globalThis.fetch = async (input, init) => {
        const answer = await restoreFetch(input, init)
        const url = new URL(input instanceof Request ? input.url : input)
        if (url.origin === simulator.url && !/^\/(sandbox|oauth)\//.test(url.pathname)) {
          exchanges.push(await exchangeOf(url, init, answer.clone()))
        }
        return answer
      }
    })
    afterAll(async () => {
      globalThis.fetch = restoreFetch
      await simulator.close()
    })

    it('describes every request of the client and every answer of the simulator', async () => {
      const settings = pixSettings(simulator.url)
      const client = createPixClient({ settings, clock, timeoutMs: 5_000, log: createLog('silent') })
      const adapter = pixAdapter({
        client,
        settings,
        callbackUrl: 'https://api.example.com/callbacks/pix/secret',
        callbackToken: 'secret',
        taxIdKey: Buffer.alloc(32),
      })
      await adapter.ensureCallbacks()
      await adapter.ensureCallbacks()
      for (const [attempt, payerCpf] of [CPF, '12ABC34501DE35'].entries()) {
        const reference = txidOf('cmwpo5rcfg3nnzd8nhuob47i4', attempt + 1)
        const input = {
          paymentId: 'cmwpo5rcfg3nnzd8nhuob47i4',
          transactionType: 'pixcrypto',
          payerEmail: 'ana@example.com',
          payerCpf,
        } as const
        const order = { reference, amount: '10.5', lifeSeconds: 890, input }
        const made = await adapter.create(order)
        // A second time it is refused, and found.
        expect(await adapter.create(order)).toMatchObject({ data: made.data })
        const pix = await control(`/cob/${reference}/pay`)
        const receiptId = String(pix['endToEndId'])
        const orderedAt = new Date()
        await adapter.refund({ receiptId, providerRefundId: 'r1', amount: '1.00', orderedAt, doneBefore: [] })
        await control(`/pix/${receiptId}/med`, { valor: '2.00' })
        await until('the return is settled', async () => {
          const view = await adapter.retrieve(reference)
          return view?.receivedPayments[0]?.refunds.every(({ status }) => status === 'done') ?? false
        })
        await adapter.cancel(reference)
        await adapter
          .refund({ receiptId, providerRefundId: 'r2', amount: '9.00', orderedAt, doneBefore: [] })
          .catch(() => undefined)
      }
      await adapter.create({
        reference: txidOf('cmwpo5rcfg3nnzd8nhuob47i4', 3),
        amount: '1',
        lifeSeconds: 890,
        input: { paymentId: '', transactionType: 'pixcrypto', payerEmail: 'a@example.com', payerCpf: CPF },
      })
      await adapter.cancel(txidOf('cmwpo5rcfg3nnzd8nhuob47i4', 3))
      await adapter.retrieve(txidOf('cmwpo5rcfg3nnzd8nhuob47i4', 4))
      const seen = new Set(exchanges.map(({ method, path, status }) => `${method} ${pathOf(path)} ${status}`))
      expect(exchanges.flatMap((exchange) => validate(exchange))).toEqual([])
      expect([...seen].sort()).toEqual([
        'GET /cob/{txid} 200',
        'GET /cob/{txid} 404',
        'GET /pix/{e2eid}/devolucao/{id} 404',
        'GET /webhook/{chave} 200',
        'GET /webhook/{chave} 404',
        'PATCH /cob/{txid} 200',
        'PATCH /cob/{txid} 400',
        'PUT /cob/{txid} 201',
        'PUT /cob/{txid} 400',
        'PUT /pix/{e2eid}/devolucao/{id} 201',
        'PUT /pix/{e2eid}/devolucao/{id} 400',
        'PUT /webhook/{chave} 200',
      ])
    })

    async function control(path: string, body: object = {}): Promise<Json> {
      const headers = { 'content-type': 'application/json' }
      const init = { method: 'POST', headers, body: JSON.stringify(body) }
      return (await (await restoreFetch(`${simulator.url}/sandbox${path}`, init)).json()) as Json
    }
  },
)

async function exchangeOf(url: URL, init: RequestInit | undefined, answer: Response): Promise<Exchange> {
  const text = await answer.text()
  return {
    method: init?.method ?? 'GET',
    path: decodeURIComponent(url.pathname),
    requestBody: typeof init?.body === 'string' ? JSON.parse(init.body) : undefined,
    status: answer.status,
    contentType: (answer.headers.get('content-type') ?? '').split(';')[0] ?? '',
    body: text === '' ? undefined : JSON.parse(text),
  }
}

/** The specification's name of a path. */
function pathOf(path: string): string {
  return path
    .replace(/^\/cob\/[^/]+$/, '/cob/{txid}')
    .replace(/^\/pix\/[^/]+\/devolucao\/[^/]+$/, '/pix/{e2eid}/devolucao/{id}')
    .replace(/^\/webhook\/[^/]+$/, '/webhook/{chave}')
}

/** What is wrong with an exchange by the specification; nothing where all is well. */
function specification(): (exchange: Exchange) => string[] {
  const document = repaired(parse(readFileSync(SPECIFICATION, 'utf8')) as Json) as Json
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: true })
  formats.default(ajv)
  ajv.addFormat('int32', true)
  // A location has no scheme, so it is no URI, whatever the specification says of it.
  ajv.addFormat('uri', true)
  ajv.addSchema(document, 'pix')
  const compiled = new Map<string, ValidateFunction>()
  const against = (pointer: string, value: unknown): string[] => {
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `pix#${pointer}` })
    compiled.set(pointer, validate)
    return validate(value)
      ? []
      : (validate.errors ?? []).map((error) => `${pointer}${error.instancePath} ${error.message}`)
  }
  return ({ method, path, requestBody, status, contentType, body }) => {
    const name = pathOf(path)
    const operation = at(document, ['paths', name, method.toLowerCase()])
    if (!operation) return [`${method} ${name} is not specified`]
    const base = `/paths/${escaped(name)}/${method.toLowerCase()}`
    const response = resolve(document, `${base}/responses/${status}`)
    // API Pix lists 400 for few paths by themselves; where it does not, any problem may be answered.
    if (!response) return [`${method} ${name} ${status} is not specified`]
    const problems: string[] = []
    const [requestType] = Object.keys(at(resolve(document, `${base}/requestBody`)?.value, ['content']) ?? {})
    if (requestBody !== undefined && requestType !== undefined) {
      const { pointer } = resolve(document, `${base}/requestBody`) ?? { pointer: '' }
      problems.push(...against(`${pointer}/content/${escaped(requestType)}/schema`, requestBody))
    }
    const types = Object.keys(at(response.value, ['content']) ?? {})
    if (body === undefined) return types.length === 0 ? problems : [...problems, `${method} ${name}: no body`]
    if (!types.includes(contentType)) return [...problems, `${method} ${name} ${status}: ${contentType}`]
    return [...problems, ...against(`${response.pointer}/content/${escaped(contentType)}/schema`, body)]
  }
}

/** Follows one `$ref` of a part of the document. */
function resolve(document: Json, pointer: string): { pointer: string; value: Json } | undefined {
  const keys = pointer.split('/').slice(1)
  const value = at(
    document,
    keys.map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')),
  )
  const reference = value?.['$ref']
  if (typeof reference !== 'string') return value && { pointer, value }
  const target = reference.slice(1)
  const found = at(document, target.split('/').slice(1))
  return found && { pointer: target, value: found }
}

function at(value: unknown, keys: readonly string[]): Json | undefined {
  return keys.reduce<unknown>(
    (part, key) => (typeof part === 'object' && part !== null ? (part as Json)[key] : undefined),
    value,
  ) as Json | undefined
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')
}

/**
 * The specification with its slips put right: patterns are anchored, as their text demands, and lose the slashes that some
 * have around them; `readOnly` and examples say nothing about validity.
 */
function repaired(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(repaired)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, part]) => !(key === 'example' || (key === 'examples' && typeof part === 'object')))
      .map(([key, part]) => [
        key,
        key === 'pattern' && typeof part === 'string'
          ? `^(?:${part.replace(/^\/?\^?/, '').replace(/\$?\/?$/, '')})$`
          : repaired(part),
      ]),
  )
}
