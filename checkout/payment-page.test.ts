import { createHash, randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../kernel/clock.js'
import { projectRoot } from '../kernel/root.js'
import { CREATE_TRANSACTION, EXECUTE, REGISTER, registerBody, transactionBody } from '../test/harness/rest-payments.js'
import { startHarness } from '../test/harness/harness.js'
import { signSession, sessionOf } from './session-link.js'
import { languageOf } from './language.js'

/** How long a price is locked, and a Pix can be paid. */
const QUOTE_MS = 15 * 60_000
const WEEK_MS = 7 * 24 * 3_600_000

const harness = await startHarness()

/** A Pix charge for an order of two things, with what its payer was given. */
async function pixPage(): Promise<{ path: string; code: string }> {
  const { tenant } = harness
  const order = await tenant.createOrder({
    payment_method_allowed: { pixcrypto: true },
    order_items: [{ name: 'Coffee & <b>cake</b></script>', quantity: 2 }],
  })
  const { id, charge } = await tenant.pixOfOrder(order)
  return { path: await harness.tenant.pagePath(id), code: charge.pixCopiaECola }
}

const look = (path: string, language = 'en') => harness.rest('GET', path, { headers: { 'accept-language': language } })
const statusIn = (text: string) => /data-status="(\w+)"/.exec(text)?.[1]

describe('the hosted payment page', () => {
  it('shows amount, ways to pay and state before any script runs', async () => {
    const id = await harness.tenant.register({ payment_method_allowed: { crypto: true, cardcrypto: true } })
    const { text, status, headers } = await look(await harness.tenant.pagePath(id))
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(text).toContain('data-test="amount">R$100.00<')
    expect(statusIn(text)).toBe('open')
    expect(text).toContain('data-test="method-wallet"')
    expect(text).toContain('data-test="method-card"')
    expect(text).not.toContain('data-test="method-pix"')
    expect(text).toContain('<noscript><meta http-equiv="refresh"')
  })

  it.each([
    ['pt-BR,pt;q=0.9,en;q=0.8', 'pt', 'R$ 1.234,50', 'Pronto para pagar'],
    ['es-MX', 'es', '1234,50 BRL', 'Listo para pagar'],
  ])('to a browser that prefers %s speaks %s', async (header, language, amount, title) => {
    const path = await harness.tenant.pagePath(await harness.tenant.register({ amount_from: '1234.5' }))
    const { text, headers } = await look(path, header)
    expect(headers['content-language']).toBe(language)
    expect(text).toContain(`<html lang="${language}">`)
    expect(text).toContain(amount)
    expect(text).toContain(title)
  })

  it('speaks the language that its payer has chosen', async () => {
    const path = await harness.tenant.pagePath(await harness.tenant.register())
    expect((await look(`${path}?lang=es`, 'en')).text).toContain('Listo para pagar')
    expect((await look(`${path}?lang=xx`, 'pt')).text).toContain('Pronto para pagar')
  })

  it('is paid by the hash of what a wallet has sent, over REST too', async () => {
    const { tenant, chain } = harness
    const signed = await tenant.signedPayment(await chain.newPayer())
    const { transactionHash: tx_hash } = await chain.mine(signed.raw)
    const body = { payment_id: signed.id, tx_hash }
    const answer = await tenant.post(EXECUTE, body)
    expect(answer.body).toMatchObject({ status: 'payment_confirmed', data: { id: signed.id, tid_hash: tx_hash } })
    const none = await tenant.post(EXECUTE, { payment_id: signed.id })
    expect(none.body).toMatchObject({ status: 'invalid_parameters' })
    expect(none.text).toContain('signed_transaction is required, or tx_hash in its place')
    expect(statusIn((await look(await harness.tenant.pagePath(signed.id))).text)).toBe('paid')
  })

  it('follows the payment until it is paid, and then shows a receipt with the hash', async () => {
    const { tenant, chain } = harness
    const signed = await tenant.signedPayment(await chain.newPayer())
    const path = await harness.tenant.pagePath(signed.id)
    const pending = await look(path)
    expect(statusIn(pending.text)).toBe('waiting')
    await tenant.execute(signed)
    const paid = await look(path)
    expect(statusIn(paid.text)).toBe('paid')
    expect(paid.text).toMatch(/data-test="receipt".*0x[0-9a-f]{64}/)
    expect(paid.text).not.toContain('data-test="method-')
    expect(paid.text).not.toContain('http-equiv="refresh"')
  })

  it('says of a price whose time is over that it ran out', async () => {
    const signed = await harness.tenant.signedPayment(await harness.chain.newPayer())
    const path = await harness.tenant.pagePath(signed.id)
    harness.clock.advance(QUOTE_MS)
    expect(statusIn((await look(path)).text)).toBe('expired')
  })

  it('shows items, code and QR code of a Pix that waits, and nothing of tokens, until it cannot be paid', async () => {
    const { path, code } = await pixPage()
    const { text } = await look(path)
    expect(text).toContain('Coffee &amp; &lt;b>cake&lt;/b>&lt;/script>')
    expect(text.match(/<textarea[^>]*data-test="pix-code"[^>]*>([^<]*)</)?.[1]).toBe(code)
    expect(text.replace(/<script type="application\/json".*/s, '')).not.toMatch(/USDT|polygon/)
    const qr = await harness.rest('GET', `${path}/qr.svg`)
    expect(qr.headers['content-type']).toContain('image/svg+xml')
    expect(qr.text).toContain('<svg')
    harness.clock.advance(QUOTE_MS)
    const late = await look(path)
    expect(statusIn(late.text)).toBe('expired')
    expect(late.text).not.toContain('data-test="pix-code"')
  })

  it('never shows who pays, nor what is the tenant’s own', async () => {
    const { tenant, chain } = harness
    const payer = await chain.newPayer()
    const id = await tenant.register({ metadata: { note: 'for-the-shop-only' } })
    await tenant.post(CREATE_TRANSACTION, transactionBody(id, payer.address))
    const path = await harness.tenant.pagePath(id)
    const { public_client_id: clientId, webhook_url: webhookUrl } = tenant.tenantData
    for (const { text } of [await look(path), await harness.rest('GET', `${path}/state`)]) {
      expect(text).toContain('waiting')
      for (const secret of ['ana@example.com', payer.address, 'for-the-shop-only', clientId, webhookUrl]) {
        expect(text.toLowerCase()).not.toContain(secret.toLowerCase())
      }
    }
  })

  it('runs and loads only what is ours, and is neither kept nor indexed nor framed', async () => {
    const { headers, text } = await look(await harness.tenant.pagePath(await harness.tenant.register()))
    const [, style = ''] = /<style>([^<]+)<\/style>/.exec(text) ?? []
    const hash = createHash('sha256').update(style).digest('base64')
    const [, script = ''] = /<script>([^]+?)<\/script>/.exec(text) ?? []
    const scriptHash = `sha256-${createHash('sha256').update(script).digest('base64')}`
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; script-src 'self' '${scriptHash}'; style-src 'sha256-${hash}'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'`,
    )
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex, nofollow',
    })
    expect(text).not.toMatch(/\sstyle=|\son\w+=|src="http|href="http/)
  })

  it('escapes what a tenant can write into it', async () => {
    // Nothing that registration takes has such characters.
    const id = await harness.tenant.register()
    await harness.sql(`update payments.payment set from_currency_symbol = 'BRL', to_chain = $1 where id = $2`, [
      '</script><b>',
      id,
    ])
    expect((await look(await harness.tenant.pagePath(id))).text).not.toContain('</script><b>')
  })
})

describe('the way back to the shop', () => {
  const urls = { success_url: 'https://shop.example/thanks?order=7', cancel_url: 'http://127.0.0.1:8080/basket' }

  it('is the payment’s own, otherwise its order’s, and none where that was taken away', async () => {
    const own = await look(await harness.tenant.pagePath(await harness.tenant.register(urls)))
    expect(own.text).toContain(`data-test="return" href="${urls.cancel_url}"`)
    const order = await harness.tenant.createOrder(urls)
    const ordered = await look(await harness.tenant.pagePath(await harness.tenant.register({ order_code: order })))
    expect(ordered.text).toContain(`data-test="return" href="${urls.cancel_url}"`)
    const other = { order_code: order, cancel_url: 'https://shop.example/other' }
    const chosen = await look(await harness.tenant.pagePath(await harness.tenant.register(other)))
    expect(chosen.text).toContain('data-test="return" href="https://shop.example/other"')
    const body = { success_url: null, cancel_url: null }
    await harness.rest('PATCH', `/order/${order}`, { as: harness.tenant, body })
    const cleared = await look(await harness.tenant.pagePath(await harness.tenant.register({ order_code: order })))
    expect(cleared.text).not.toMatch(/data-test="return" href=|shop\.example/)
  })

  it.each([
    ['success_url', 'http://shop.example/'],
    ['cancel_url', 'https://user:password@shop.example/'],
    ['cancel_url', 'javascript:alert(1)'],
  ])('is refused by its name where %s is %s', async (field, url) => {
    const { tenant } = harness
    const body = registerBody(tenant, { [field]: url })
    const answer = await tenant.post(REGISTER, body)
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toMatchObject([{ field }])
  })
})

describe('what the page loads', () => {
  const folder = join(projectRoot, 'dist', 'page', 'assets')
  const names = readdirSync(folder).filter((name) => /\.(?:js|css)$/.test(name) && !name.startsWith('toy-wallet'))
  const sizeOf = (name: string) => gzipSync(readFileSync(join(folder, name)), { level: 9 }).length

  it('is at most 15 kB for the first view, and 30 kB with every way to pay', () => {
    const manifest = readFileSync(join(folder, '..', 'manifest.json'), 'utf8')
    // What the page imports at once would be a part of the first view.
    expect((JSON.parse(manifest) as Record<string, { imports?: string[] }>)['client.tsx']?.imports).toBeUndefined()
    const first = names.filter((name) => /^(?:page|style)-/.test(name)).reduce((sum, name) => sum + sizeOf(name), 0)
    const all = names.reduce((sum, name) => sum + sizeOf(name), 0)
    expect(first).toBeLessThanOrEqual(15_000)
    expect(all).toBeLessThanOrEqual(30_000)
  })

  it('is named by what is in it, kept for good, and compressed', async () => {
    const [name = ''] = names
    const { headers, status } = await harness.rest('GET', `/checkout/assets/${name}`, {
      headers: { 'accept-encoding': 'gzip, br' },
    })
    expect(status).toBe(200)
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(headers['content-encoding']).toBe('br')
    const plain = await harness.rest('GET', `/checkout/assets/${name}`, { headers: { 'accept-encoding': 'identity' } })
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect((await harness.rest('GET', '/checkout/assets/other.js')).status).toBe(404)
  })
})

describe('a link to the payment page', () => {
  it('that is forged, cut or another’s is a page that says so, and tells nothing of the payment', async () => {
    const path = await harness.tenant.pagePath(await harness.tenant.register())
    const [tenantId = '', paymentId = '', expiry = '', mac = ''] = path.slice('/pay/'.length).split('.')
    const other = await harness.tenant.register()
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
      expect(text).not.toContain('R$')
      for (const [method, below] of [
        ['GET', 'state'],
        ['GET', 'events'],
        ['POST', 'pix'],
        ['POST', 'sent'],
      ] as const) {
        const answer = await harness.rest(method, `/pay/${token}/${below}`, method === 'POST' ? { body: {} } : {})
        expect([below, answer.status]).toEqual([below, 404])
      }
    }
  })

  it('is good for a week and not a moment longer', () => {
    const key = randomBytes(32)
    const createdAt = new Date('2026-01-01T00:00:00.000Z')
    const token = signSession({ id: 'p', tenantId: 't', createdAt }, key)
    const at = (ms: number) => ({ ...systemClock, now: () => new Date(createdAt.getTime() + ms) })
    const expiresAt = new Date(createdAt.getTime() + WEEK_MS)
    const link = { tenantId: 't', paymentId: 'p', expiresAt }
    expect(sessionOf(token, key, at(WEEK_MS - 1))).toEqual({ link, isExpired: false })
    expect(sessionOf(token, key, at(WEEK_MS))).toEqual({ link: undefined, isExpired: true })
    expect(sessionOf(token, randomBytes(32), at(0))).toEqual({ link: undefined, isExpired: false })
  })

  it('whose time is over is a page that says so', async () => {
    const path = await harness.tenant.pagePath(await harness.tenant.register())
    expect((await look(path)).status).toBe(200)
    harness.clock.advance(WEEK_MS)
    const { status, text } = await look(path, 'pt')
    expect(status).toBe(404)
    expect(text).toContain('Este link expirou')
    expect(statusIn(text)).toBe('expired')
  })
})

describe('the language of the page', () => {
  it.each([
    ['pt-BR,pt;q=0.9,en;q=0.8', 'pt'],
    ['en;q=0.5, PT;q=0.6', 'pt'],
    ['en-GB,pt;q=0.9', 'en'],
    ['de, pt;q=0', 'en'],
    ['es-419,pt;q=0.4', 'es'],
    ['fr', 'en'],
    ['', 'en'],
    [undefined, 'en'],
  ] as const)('for %s is %s', (header, language) => {
    expect(languageOf(header)).toBe(language)
  })
})
