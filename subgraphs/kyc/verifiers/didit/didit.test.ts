import { createHmac } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { systemClock } from '../../../../kernel/clock.js'
import { createLog } from '../../../../kernel/log.js'
import { providerChannel, type ProviderCall } from '../../../../kernel/provider-health/provider-calls.js'
import { serve } from '../../../../test/harness/serve.js'
import { CallbackRefused } from '../verifier.js'
import { didit } from './didit.js'
import { isRecent, isSigned } from './signature.js'
import { statusOfDidit } from './status.js'
import { readDecision, readSession } from './wire.js'

const SECRET = 'didit-secret'
const BODY = '{"session_id":"11111111-2222-3333-4444-555555555555","status":"Approved","webhook_type":"status.updated"}'
const signedWith = (headers: Record<string, string>, body = BODY, secret = SECRET): boolean =>
  isSigned(Buffer.from(body), headers, secret)

describe("Didit's signatures", () => {
  it('are those of the vectors', () => {
    const raw = '3878afa3cb86c643c4d2eb1dfb64b54c0e825b7fa22b3b95fdca7af642636148'
    const simple = 'e243530e3cd47726aa7639fdcfb0c0a548c6592d277dc106b0ae89a3c49345f0'
    expect(signedWith({ 'x-signature': raw })).toBe(true)
    expect(signedWith({ 'x-signature': raw.toUpperCase() })).toBe(true)
    expect(signedWith({ 'x-timestamp': '1700000000', 'x-signature-simple': simple })).toBe(true)
    expect(signedWith({ 'x-timestamp': '1700000001', 'x-signature-simple': simple })).toBe(false)
    expect(signedWith({ 'x-signature': raw }, `${BODY} `)).toBe(false)
    expect(signedWith({ 'x-signature': raw }, BODY, 'another')).toBe(false)
    expect(signedWith({ 'x-signature': raw.slice(1) })).toBe(false)
    expect(signedWith({ 'x-signature-v2': raw, 'x-signature': '' })).toBe(true)
    expect(signedWith({ 'x-signature-v2': raw, 'x-signature': simple })).toBe(false)
  })

  it('cost a stranger no look into the body, and no more than one pass over its bytes', () => {
    const forged = 'a'.repeat(64)
    for (const headers of [
      {},
      { 'x-signature': forged },
      { 'x-signature': forged, 'x-signature-v2': forged, 'x-signature-simple': forged },
      { 'x-signature': 'none', 'x-signature-v2': forged },
      { 'x-signature-v2': 'none', 'x-signature-simple': forged.slice(1) },
    ]) {
      const body = Buffer.from(BODY)
      const read = vi.spyOn(body, 'toString')
      expect(isSigned(body, headers, SECRET)).toBe(false)
      expect(read).not.toHaveBeenCalled()
    }
  })

  it('of the canonical form are not looked for in a body that is deeper or larger than any of the vendor', () => {
    const nested = (depth: number): string => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`
    const wide = (count: number): string =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [i, i])))
    const headers = { 'x-signature-v2': 'a'.repeat(64) }
    const large = (bytes: number): string => `{"a":"${'x'.repeat(bytes - 8)}"}`
    expect(signedWith(headers, large(64 * 1024))).toBe(false)
    expect(() => signedWith(headers, large(64 * 1024 + 1))).toThrow(CallbackRefused)
    for (const body of [nested(60), wide(5_000)]) expect(signedWith(headers, body)).toBe(false)
    for (const body of [nested(100_000), nested(65), wide(5_001)])
      expect(() => signedWith(headers, body)).toThrow(CallbackRefused)
  })

  it('of the canonical form sort the keys of all objects and keep the characters', () => {
    const body = '{"b":{"z":1.0,"a":"São"},"a":[{"d":1,"c":2}],"session_id":"s"}'
    const canonical = '{"a":[{"c":2,"d":1}],"b":{"a":"São","z":1},"session_id":"s"}'
    const mac = createHmac('sha256', SECRET).update(canonical).digest('hex')
    expect(signedWith({ 'x-signature-v2': mac }, body)).toBe(true)
  })

  it('hold for five minutes, either way', () => {
    const now = new Date(1_700_000_000_000)
    for (const timestamp of ['1700000000', '1699999700', '1700000300']) expect(isRecent(timestamp, now)).toBe(true)
    for (const timestamp of ['1699999699', '1700000301', '', 'now', '-1', '1e9', undefined])
      expect(isRecent(timestamp, now)).toBe(false)
  })
})

describe("Didit's answers", () => {
  it('with a status that is not documented, or another case, are not understood', () => {
    expect(statusOfDidit('Approved')).toBe('approved')
    for (const status of ['approved', 'APPROVED', 'Verified', '', 'constructor']) {
      expect(statusOfDidit(status)).toBeUndefined()
      expect(() => readDecision({ status })).toThrowError(expect.objectContaining({ code: 'provider_unavailable' }))
    }
    for (const body of [null, 'text', [], {}, { session_id: 's', status: 'Not Started' }])
      expect(() => readSession(body)).toThrowError(expect.objectContaining({ code: 'provider_unavailable' }))
  })

  it('are read for blocklisted matches of documents and faces, and of nothing else', () => {
    const match = { matches: [{ is_blocklisted: true }] }
    const isBlocklisted = (decision: object): boolean => readDecision({ status: 'Approved', ...decision }).isBlocklisted
    expect(isBlocklisted({ id_verifications: [{ matches: [] }, match] })).toBe(true)
    expect(isBlocklisted({ liveness_checks: [match] })).toBe(true)
    expect(
      isBlocklisted({ face_matches: [match], id_verifications: [{ matches: [{ is_blocklisted: 'true' }] }] }),
    ).toBe(false)
  })

  it('give each connection once, also where only what is left out differs', () => {
    const entry = { ip_country: 'Brazil', ip_country_code: 'BR', is_vpn_or_tor: false, is_data_center: false }
    const { ipInfo } = readDecision({
      status: 'Approved',
      ip_analyses: [
        { ...entry, ip_address: '203.0.113.1', latitude: 1, device_fingerprint: 'a', node_id: 'x' },
        { ...entry, ip_address: '203.0.113.2', latitude: 2, device_fingerprint: 'b', node_id: 'y' },
        { ...entry, is_vpn_or_tor: true },
      ],
    })
    expect(ipInfo).toHaveLength(2)
    expect(JSON.stringify(ipInfo)).not.toMatch(/203\.0|latitude|fingerprint/)
  })
})

describe('an answer of Didit that we do not understand', () => {
  it('names its status, and counts as a failure of the provider, which operators see', async () => {
    const failures: ProviderCall['failure'][] = []
    const count = (message: unknown): void => {
      if (typeof message === 'object' && message !== null && 'durationMs' in message)
        failures.push((message as ProviderCall).failure)
    }
    providerChannel.subscribe(count)
    const { url } = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"On Hold"}')
    })
    const verifier = didit.create({
      ...{ baseUrl: url, timeoutMs: 10_000, log: createLog('silent'), clock: systemClock },
      ...{ apiKey: 'key', webhookSecret: SECRET, workflowIds: { person: 'workflow' } },
    })
    const failure = await verifier.getDecision('a-session').catch((error: unknown) => error as Error)
    providerChannel.unsubscribe(count)
    expect(failure).toMatchObject({
      code: 'provider_unavailable',
      cause: { kind: 'protocol', message: 'didit sent a decision that we do not understand, of the status "On Hold"' },
    })
    expect(failures).toEqual([undefined, 'protocol'])
  })
})
