import { describe, expect, it } from 'vitest'
import { ending } from '../test/harness/at-end.js'
import { serve } from '../test/harness/serve.js'
import { until } from '../test/harness/until.js'
import { addressGuard } from './address-guard.js'
import type { BodyBeginning } from './answer-body.js'

const guard = ending(addressGuard({ allowLoopback: true, allowHttp: true }))
const POST = { tenantId: 't1', method: 'POST', headers: {}, body: '{}', timeoutMs: 60_000, maxResponseBytes: 1000 }

describe('the body of an answer', () => {
  it('is there where it is wanted, as far as it is whole and not too long', async () => {
    const { url } = await serve((request, response) => {
      response.writeHead(200, request.url === '/broken' ? { 'content-length': '9' } : {})
      response.end('a body', () => request.url === '/broken' && response.destroy())
    })
    const read = (path: string, maxResponseBytes: number) =>
      guard.request(`${url}${path}`, { ...POST, maxResponseBytes, readsBody: 'whole' })
    expect(await read('/', 6)).toMatchObject({ status: 200, body: Buffer.from('a body') })
    expect(await read('/', 5)).toMatchObject({ status: 200, body: undefined })
    expect(await read('/broken', 100)).toMatchObject({ status: 200, body: undefined })
    expect(await guard.request(`${url}/`, POST)).toMatchObject({ status: 200, body: undefined })
  })

  it('is its beginning where that is wanted, and what hangs of it is not waited for', async () => {
    const { url } = await serve((request, response) => {
      response.writeHead(200)
      response.write('the beginning')
      if (request.url === '/broken') setImmediate(() => response.destroy())
      else if (request.url !== '/hangs') response.end(' and the rest')
    })
    const read = (path: string, readsBody: BodyBeginning) => guard.request(`${url}${path}`, { ...POST, readsBody })
    const waitMs = 60_000
    const whole = Buffer.from('the beginning and the rest')
    expect(await read('/', { firstBytes: 100, waitMs })).toMatchObject({ status: 200, body: whole })
    expect(await read('/', { firstBytes: 3, waitMs })).toMatchObject({ body: Buffer.from('the') })
    expect(await read('/hangs', { firstBytes: 3, waitMs: 50 })).toMatchObject({ body: Buffer.from('the') })
    expect(await read('/hangs', { firstBytes: 100, waitMs: 50 })).toMatchObject({ body: Buffer.from('the beginning') })
    expect(await read('/broken', { firstBytes: 100, waitMs })).toMatchObject({ body: Buffer.from('the beginning') })
  })

  it('keeps no connection open behind its beginning, where it does not end', async () => {
    let open = 0
    const { url } = await serve((_request, response) => {
      open += 1
      response.on('close', () => (open -= 1))
      response.writeHead(200)
      response.write('the beginning and more')
    })
    const readsBody = { firstBytes: 3, waitMs: 50 }
    expect(await guard.request(`${url}/`, { ...POST, readsBody })).toMatchObject({ body: Buffer.from('the') })
    await until('it is closed', () => open === 0, 10_000)
  })
})
