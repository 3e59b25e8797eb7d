import { describe, expect, it } from 'vitest'
import { openStream } from '../test/harness/event-stream.js'
import { startHarness } from '../test/harness/harness.js'
import { schemaCompiler } from '../test/harness/openapi-schemas.js'
import { openApiPath, type OpenApiDocument, type OpenApiResponse } from './openapi.js'
import type { OpenApiStream } from './openapi-events.js'
import { EVENTS_ROUTE } from './payment-events.js'

const harness = await startHarness()
const { tenant } = harness
const document = (await harness.rest('GET', '/openapi.json')).body as unknown as OpenApiDocument
const compile = schemaCompiler(document)
const operation = document.paths[openApiPath(EVENTS_ROUTE.path)]?.['get'] as unknown as OpenApiStream

describe('the stream of a payment', () => {
  it('is what the document says, event by event, and so is its refusal', async () => {
    const id = await tenant.register()
    const headers = { 'x-api-key': tenant.key, 'last-event-id': '0' }
    const stream = await openStream(`${harness.url}/payment/${id}/events`, { headers })
    await tenant.post(`/payment/${id}/cancel`)
    const events = await stream.untilCount(2)
    const [type = ''] = Object.keys(operation.responses['200']?.content ?? {})
    expect(stream.headers['content-type']).toBe(`${type}; charset=utf-8`)
    for (const name of Object.keys(operation.responses['200']?.headers ?? {}))
      if (!name.startsWith('ratelimit')) expect(stream.headers[name]).toBeTypeOf('string')
    for (const [index, event] of events.entries()) {
      const body = JSON.parse(event.data) as { type: string; sequence: number }
      expect([event.id, body.sequence]).toEqual([String(index + 1), index + 1])
      const validate = compile(
        document.webhooks[body.type]?.post.requestBody.content['application/json'].schema ?? {},
        true,
      )
      validate(body)
      expect([body.type, validate.errors ?? []]).toEqual([body.type, []])
    }
    const missing = await tenant.get('/payment/c000000000000000000000000/events')
    const refusal = (operation.responses['404'] as OpenApiResponse).content['application/json'].schema
    const validate = compile(refusal, true)
    validate(missing.body)
    expect([missing.status, missing.body.status, validate.errors ?? []]).toEqual([404, 'payment_not_found', []])
  })

  it('has an example that a reader of streams understands', () => {
    const content = operation.responses['200']?.content ?? {}
    const { example } = (content as { 'text/event-stream': { example: string } })['text/event-stream']
    const data = /^data: (.*)$/m.exec(example)?.[1] ?? ''
    const { type, sequence } = JSON.parse(data) as { type: string; sequence: number }
    expect(example).toMatch(new RegExp(`^id: ${sequence}\\ndata: .*\\n\\n`, 'm'))
    expect(Object.keys(document.webhooks)).toContain(type)
  })
})
