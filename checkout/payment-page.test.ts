import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../kernel/clock.js'
import {
  CREATE_TRANSACTION,
  createOrder,
  execute,
  register,
  signedPayment,
  transactionBody,
  pixOfOrder,
} from '../test/harness/rest-payments.js'
import { startHarness } from '../test/harness/harness.js'
import { signSession, verifySession } from './session-link.js'
import { languageOf } from './messages.js'

/** How long a price is locked, and a Pix can be paid. */
const QUOTE_MS = 15 * 60_000
const WEEK_MS = 7 * 24 * 3_600_000

const harness = await startHarness()

/** The path of the page, as the payment's tenant is told it. */
async function pageOf(paymentId: string): Promise<string> {
  const status = await harness.rest('GET', `/payment/${paymentId}/status`, { as: harness.tenant })
  return new URL(String(status.body.data?.['session_payment'])).pathname
}

/** A Pix charge for an order of two things, with what its payer was given. */
async function pixPage(): Promise<{ path: string; code: string; picture: string }> {
  const { tenant } = harness
  const order = await createOrder(harness, tenant, {
    payment_method_allowed: { pixcrypto: true },
    order_items: [{ name: 'Coffee & <b>cake</b>', quantity: 2 }],
  })
  const { id, charge } = await pixOfOrder(harness, tenant, order)
  return { path: await pageOf(id), code: charge.pixCopiaECola, picture: charge.pix_qr_code_data_url }
}

/** The text of the first element of a kind, as a browser shows it. */
function textOf(page: string, element: string): string {
  const content = new RegExp(`<${element}[^>]*>([^<]*)</${element}>`).exec(page)?.[1] ?? ''
  return content.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
}

const look = (path: string, language = 'en') => harness.rest('GET', path, { headers: { 'accept-language': language } })

describe('the hosted payment page', () => {
  it('shows amount, currency, what the receivers get, the ways to pay and the state', async () => {
    const { text, status, headers } = await look(await pageOf(await register(harness, harness.tenant)))
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(text).toMatch(/<h1>\s*BRL\s100\.00\s*<\/h1>/)
    expect(text).toContain('USDT · polygon')
    expect(text).toContain('Crypto wallet')
    expect(text).toContain('Waiting for payment')
    expect(text).toContain('This link is good until')
  })

  it('speaks Portuguese to a browser that prefers it', async () => {
    const path = await pageOf(await register(harness, harness.tenant, { amount_from: '1234.5' }))
    const { text, headers } = await look(path, 'pt-BR,pt;q=0.9,en;q=0.8')
    expect(headers['content-language']).toBe('pt')
    expect(text).toContain('<html lang="pt">')
    expect(text).toMatch(/<h1>\s*BRL\s1\.234,50\s*<\/h1>/)
    expect(text).toContain('Aguardando pagamento')
  })

  it('follows the payment until it is paid', async () => {
    const { tenant, chain } = harness
    const payer = await chain.newPayer()
    const signed = await signedPayment(harness, tenant, payer)
    const path = await pageOf(signed.id)
    const pending = await look(path)
    expect(pending.text).toContain('Payment in progress')
    expect(pending.text).toContain('The price holds until')
    await execute(harness, tenant, signed)
    const paid = await look(path)
    expect(paid.text).toContain('Thank you')
    expect(paid.text).not.toContain('Ways to pay')
  })

  it('says of a price whose time is over that it ran out', async () => {
    const signed = await signedPayment(harness, harness.tenant, await harness.chain.newPayer())
    const path = await pageOf(signed.id)
    harness.clock.advance(QUOTE_MS)
    const { text } = await look(path)
    expect(text).toContain('The price ran out at')
    expect(text).not.toContain('The price holds until')
    expect((await look(path, 'pt')).text).toContain('O preço venceu em')
  })

  it.each([
    [{ cardfiat: true }, 'BRL'],
    [{ cardfiat: true, pixcrypto: true }, 'USDT · polygon'],
  ])('says of a payment by %j that the receiver gets %s', async (allowed, received) => {
    const split = [{ receiver_wallet: harness.chain.newReceiver(), receiver_percent: 100, recipient_id: 're_shop' }]
    const terms = { payment_method_allowed: allowed, split_payment_config: split }
    const { text } = await look(await pageOf(await register(harness, harness.tenant, terms)))
    expect(text).toMatch(new RegExp(`<dt>The receiver gets</dt>\\s*<dd>${received}</dd>`))
  })

  it('shows the items, the QR code and the code to copy of a Pix that waits, until it cannot be paid', async () => {
    const { path, code, picture } = await pixPage()
    const { text } = await look(path)
    expect(text).toMatch(/<li>2 × Coffee &#38; &#60;b&#62;cake&#60;\/b&#62;<\/li>/)
    expect(text).toContain(`<img src="${picture}"`)
    expect(text).toMatch(/<textarea [^>]*readonly[^>]*>/)
    expect(textOf(text, 'textarea')).toBe(code)
    expect(text).toContain('The Pix can be paid until')
    expect((await look(path, 'pt')).text).toContain('O Pix pode ser pago até')
    harness.clock.advance(QUOTE_MS)
    const late = await look(path)
    expect(late.text).toContain('The time for this Pix has run out')
    expect(late.text).not.toContain(code)
    expect(late.text).not.toContain('<img')
  })

  it('never shows who pays, nor what is the tenant’s own', async () => {
    const { tenant, chain } = harness
    const payer = await chain.newPayer()
    const id = await register(harness, tenant, { metadata: { note: 'for-the-shop-only' } })
    await harness.rest('POST', CREATE_TRANSACTION, { as: tenant, body: transactionBody(id, payer.address) })
    const { text } = await look(await pageOf(id))
    expect(text).toContain('Payment in progress')
    const { public_client_id: clientId, webhook_url: webhookUrl } = tenant.tenantData
    for (const secret of ['ana@example.com', payer.address, 'for-the-shop-only', tenant.id, clientId, webhookUrl]) {
      expect(text.toLowerCase()).not.toContain(secret.toLowerCase())
    }
  })

  it('loads nothing, runs nothing, and is neither kept nor indexed nor framed', async () => {
    const { headers, text } = await look(await pageOf(await register(harness, harness.tenant)))
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    )
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex, nofollow',
    })
    expect(text).toContain('<meta name="robots" content="noindex, nofollow" />')
    expect(text).not.toMatch(/<script|<link|<img|\ssrc=|\sstyle=|\son\w+=/)
  })

  it('escapes what a tenant can write into it', async () => {
    // Nothing that registration takes has such characters.
    const id = await register(harness, harness.tenant)
    await harness.sql(`update payments.payment set to_chain = $1 where id = $2`, ['<b>"&\'x', id])
    const { text } = await look(await pageOf(id))
    expect(text).toContain('&#60;b&#62;&#34;&#38;&#39;x')
    expect(text).not.toContain('<b>')
  })
})

describe('a link to the payment page', () => {
  it('that is forged, cut or another’s is a page that says so, and tells nothing of the payment', async () => {
    const path = await pageOf(await register(harness, harness.tenant))
    const [tenantId = '', paymentId = '', expiry = '', mac = ''] = path.slice('/pay/'.length).split('.')
    const other = await register(harness, harness.tenant)
    const later = (parseInt(expiry, 36) + 1).toString(36)
    const forged = [
      [tenantId, other, expiry, mac],
      [tenantId, paymentId, later, mac],
      ['c000000000000000000000000', paymentId, expiry, mac],
      [tenantId, paymentId, expiry, mac.slice(0, -1)],
      [tenantId, paymentId, expiry, [...mac].toReversed().join('')],
      [tenantId, paymentId, expiry, `${mac}.x`],
      [tenantId, paymentId],
      ['x'],
    ].map((parts) => parts.join('.'))
    for (const token of forged) {
      const { status, text, headers } = await look(`/pay/${token}`)
      expect([token, status]).toEqual([token, 404])
      expect(headers['cache-control']).toBe('no-store')
      expect(text).toContain('This link does not work')
      expect(text).not.toContain('BRL')
    }
  })

  it('is good for a week and not a moment longer', () => {
    const key = randomBytes(32)
    const createdAt = new Date('2026-01-01T00:00:00.000Z')
    const token = signSession({ id: 'p', tenantId: 't', createdAt }, key)
    const at = (ms: number) => ({ ...systemClock, now: () => new Date(createdAt.getTime() + ms) })
    const expiresAt = new Date(createdAt.getTime() + WEEK_MS)
    expect(verifySession(token, key, at(WEEK_MS - 1))).toEqual({ tenantId: 't', paymentId: 'p', expiresAt })
    expect(verifySession(token, key, at(WEEK_MS))).toBeUndefined()
    expect(verifySession(token, randomBytes(32), at(0))).toBeUndefined()
  })

  it('answers the page of an expired link once its time is over', async () => {
    const path = await pageOf(await register(harness, harness.tenant))
    expect((await look(path)).status).toBe(200)
    harness.clock.advance(WEEK_MS)
    const { status, text } = await look(path, 'pt')
    expect(status).toBe(404)
    expect(text).toContain('Este link não funciona')
  })
})

describe('the language of the page', () => {
  it.each([
    ['pt-BR,pt;q=0.9,en;q=0.8', 'pt'],
    ['en;q=0.5, PT;q=0.6', 'pt'],
    ['en-GB,pt;q=0.9', 'en'],
    ['de, pt;q=0', 'en'],
    ['fr', 'en'],
    ['', 'en'],
    [undefined, 'en'],
  ] as const)('for %s is %s', (header, language) => {
    expect(languageOf(header)).toBe(language)
  })
})
