import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { signatureHeaders } from './signature.js'

const OLD = 'whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH'
const NEW = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

describe('the signature of a webhook', () => {
  it('is that of Standard Webhooks, on a known vector', () => {
    const headers = signatureHeaders('msg_test', new Date(1_700_000_000_000), '{"type":"payment.succeeded"}', [OLD])
    expect(headers).toEqual({
      'webhook-id': 'msg_test',
      'webhook-timestamp': '1700000000',
      'webhook-signature': 'v1,E6yru9a1F3/JKBvp/J8DgiQx1fbEmU+18OZCoWeXGLg=',
    })
  })

  it.each(['{}', '{"name":"José 🎉"}', '{"a":"1.5"}\n'])('is what the reference library makes of %j', (body) => {
    const at = new Date(1_725_000_000_999)
    const headers = signatureHeaders('c0m3', at, body, [NEW])
    expect(headers['webhook-signature']).toBe(new Webhook(NEW).sign('c0m3', at, body))
  })

  it('satisfies receivers that know either secret while one replaces the other', () => {
    const body = '{"type":"payment.success"}'
    const headers = signatureHeaders('c0m3', new Date(), body, [NEW, OLD])
    for (const secret of [NEW, OLD])
      expect(new Webhook(secret).verify(body, headers)).toEqual({ type: 'payment.success' })
    expect(() => new Webhook('whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA').verify(body, headers)).toThrow()
  })

  it('covers the body, the id and the time', () => {
    const headers = signatureHeaders('c0m3', new Date(), '{"amount":"1"}', [OLD])
    const webhook = new Webhook(OLD)
    expect(() => webhook.verify('{"amount":"2"}', headers)).toThrow()
    expect(() => webhook.verify('{"amount":"1"}', { ...headers, 'webhook-id': 'other' })).toThrow()
    const later = String(Number(headers['webhook-timestamp']) + 1)
    expect(() => webhook.verify('{"amount":"1"}', { ...headers, 'webhook-timestamp': later })).toThrow()
  })
})
