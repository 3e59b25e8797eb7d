import { describe, expect, it } from 'vitest'
import { signatureHeaders } from '../../subgraphs/accounts/webhooks/signature.js'
import { signWebhook, verifyReturn, verifyWebhook, WebhookVerificationError } from './webhooks.js'

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const OTHER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
const AT = new Date('2026-11-22T12:00:00Z')
const body = JSON.stringify({ type: 'payment.success', timestamp: AT.toISOString(), sequence: 3, data: { id: 'c1' } })
const now = () => AT

describe('a webhook', () => {
  it('as the service signs it is verified, and gives its event', async () => {
    const headers = signatureHeaders('msg_1', AT, body, [SECRET])
    const event = await verifyWebhook({ body, headers, secret: SECRET, now })
    expect(event).toMatchObject({ type: 'payment.success', sequence: 3 })
    const bytes = new TextEncoder().encode(body)
    expect(await verifyWebhook({ body: bytes, headers: new Headers(headers), secret: SECRET, now })).toEqual(event)
  })

  it('is verified by the old and by the new secret while they are rotated', async () => {
    const headers = signatureHeaders('msg_1', AT, body, [OTHER, SECRET])
    await verifyWebhook({ body, headers, secret: SECRET, now })
    await verifyWebhook({ body, headers: signatureHeaders('msg_1', AT, body, [OTHER]), secret: [SECRET, OTHER], now })
  })

  const good = signatureHeaders('msg_1', AT, body, [SECRET])
  it.each([
    ['another body', { body: body.replace('c1', 'c2') }],
    ['another secret', { secret: OTHER }],
    ['another id', { headers: { ...good, 'webhook-id': 'msg_2' } }],
    ['no signature', { headers: { ...good, 'webhook-signature': undefined } }],
    [
      'a signature of another version',
      { headers: { ...good, 'webhook-signature': good['webhook-signature'].replace('v1', 'v2') } },
    ],
    ['a signature that is no base64', { headers: { ...good, 'webhook-signature': 'v1,%' } }],
    ['a time that is too old', { now: () => new Date(AT.getTime() + 301_000) }],
    ['a time that is to come', { now: () => new Date(AT.getTime() - 301_000) }],
    ['a time that is none', { headers: { ...good, 'webhook-timestamp': 'now' } }],
    ['a secret that is none', { secret: 'whsec_%' }],
  ])('with %s is not believed', async (_what, changes) => {
    const verified = verifyWebhook({ body, headers: good, secret: SECRET, now, ...changes })
    await expect(verified).rejects.toBeInstanceOf(WebhookVerificationError)
  })

  it('is signed by the client as the service does', async () => {
    expect(await signWebhook('msg_1', AT, body, SECRET)).toEqual(good)
  })
})

describe('a payer who comes back to the shop', () => {
  const signed = signatureHeaders('c1', AT, 'paid', [SECRET])
  const addressOf = (changes: Record<string, string> = {}): string => {
    const query = {
      payment_id: 'c1',
      payment_status: 'paid',
      payment_timestamp: signed['webhook-timestamp'],
      payment_signature: signed['webhook-signature'],
      ...changes,
    }
    return `https://shop.example/thanks?basket=7&${new URLSearchParams(query).toString()}`
  }

  it('brings what the service has signed', async () => {
    expect(await verifyReturn({ url: addressOf(), secret: SECRET })).toEqual({
      paymentId: 'c1',
      status: 'paid',
      at: AT,
    })
    await verifyReturn({ url: new URL(addressOf()), secret: [OTHER, SECRET] })
  })

  it.each([
    { payment_id: 'c2' },
    { payment_status: 'received' },
    { payment_timestamp: '1' },
    { payment_signature: 'v1,AAAA' },
    { payment_signature: '' },
  ])('with another %j is not believed', async (changes) => {
    await expect(verifyReturn({ url: addressOf(changes), secret: SECRET })).rejects.toBeInstanceOf(
      WebhookVerificationError,
    )
    const bare = verifyReturn({ url: 'https://shop.example/thanks', secret: SECRET })
    await expect(bare).rejects.toBeInstanceOf(WebhookVerificationError)
  })
})
