import { describe, expect, it } from 'vitest'
import { verifyReturn } from '../../client/src/webhooks.js'
import { violations } from '../harness/axe.js'
import { noBrowser, openPage, untilDrawn, usesBrowser } from '../harness/browser.js'
import { signIn, type ConsoleBrowser } from '../harness/console.js'
import { startHarness } from '../harness/harness.js'
import { openOrder, pageOfOrder } from '../harness/payment-page.js'
import { sampleOf } from '../harness/guide-samples.js'
import { serve } from '../harness/serve.js'
import { until } from '../harness/until.js'

const harness = await startHarness()
usesBrowser()
const { tenant } = harness
let count = 0

/** A tenant whose pages nobody has looked at yet, since what they look like is remembered for some seconds; and its owner. */
async function newShop() {
  const own = await harness.dashboard.newTenant()
  const email = `owner${(count += 1)}@example.com`
  await harness.dashboard.addMember(own, email, 'owner')
  return { tenant: own, owner: await signIn(harness, email), harness: { ...harness, tenant: own } }
}

/** One pixel, transparent. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

const UPDATE = `mutation ($input: UpdateBrandingInput!) { updateBranding(input: $input) {
  branding { displayName accentColor logoVersion embedOrigins } errors { code path }
} }`

interface Updated {
  branding: Record<string, unknown> | null
  errors: { code: string; path: string[] }[]
}

async function brand(owner: ConsoleBrowser, input: object): Promise<Updated> {
  const { body } = await owner.graphql(UPDATE, { input })
  return (body.data as unknown as { updateBranding: Updated }).updateBranding
}

/** The page of a payment. */
async function sessionOf(id: string, as = tenant): Promise<{ address: string }> {
  return { address: `${harness.url}${await as.pagePath(id)}` }
}

/** A shop's site that shows a page in a frame, and writes down what it is told. */
async function shopWith(address: string): Promise<string> {
  const { url } = await serve((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(`<!doctype html><title>Shop</title><iframe src="${address}" width="400" height="800"></iframe><script>
      window.told = []
      addEventListener('message', ({ origin, data }) => { window.told.push({ origin, data }) })
    </script>`)
  })
  return url
}

const pageText = async (address: string): Promise<string> => (await fetch(address)).text()

describe('the way back to the shop', () => {
  it('names the payment, and is signed so that the shop can check it', async () => {
    const secret = harness.hooks.secretOf(tenant.id)
    const signed = await tenant.signedPayment(await harness.chain.newPayer(), {
      success_url: 'https://shop.example/thanks?basket=7#top',
    })
    const { address } = await sessionOf(signed.id)
    expect(await pageText(address)).not.toContain('payment_signature')
    await tenant.execute(signed)
    const href = /data-test="return"[^>]*href="([^"]*)"|href="([^"]*)"[^>]*data-test="return"/.exec(
      await pageText(address),
    )
    const url = (href?.[1] ?? href?.[2] ?? '').replaceAll('&amp;', '&')
    expect(url).toMatch(/^https:\/\/shop\.example\/thanks\?basket=7&payment_id=.*#top$/)
    expect([...new URL(url).searchParams.keys()]).toEqual([
      'basket',
      'payment_id',
      'payment_status',
      'payment_timestamp',
      'payment_signature',
    ])
    expect(await verifyReturn({ url, secret })).toMatchObject({ paymentId: signed.id, status: 'paid' })
    await expect(verifyReturn({ url: url.replace('=paid', '=received'), secret })).rejects.toThrow('no signature')
  })
})

describe('the look of a tenant’s pages', () => {
  it('takes no field that is wrong, and then changes nothing', async () => {
    const { owner } = await newShop()
    const { branding, errors } = await brand(owner, {
      displayName: '',
      accentColor: 'red; } body { display: none',
      logo: Buffer.from('<svg onload="alert(1)"/>').toString('base64'),
      embedOrigins: [
        'https://shop.example/path',
        "https://a.example; script-src 'unsafe-inline'",
        'http://evil.example',
        'https://x;script-src-elem',
        'https://*',
        'https://*.example',
        "https://'self'",
        'https://a,b.example',
      ],
    })
    expect(branding).toBeNull()
    expect(errors.map(({ path }) => path.join('.'))).toEqual([
      'displayName',
      'accentColor',
      'logo',
      ...Array.from({ length: 8 }, (_, index) => `embedOrigins.${index}`),
    ])
    const { body } = await owner.graphql('{ branding { displayName accentColor logoVersion embedOrigins } }')
    expect(body.data).toEqual({
      branding: { displayName: null, accentColor: null, logoVersion: null, embedOrigins: [] },
    })
  })

  it('takes origins with a port, of a name in other letters and of an IP address', async () => {
    const { owner } = await newShop()
    const embedOrigins = [
      'https://a-1.example:8443',
      'https://xn--caf-dma.example',
      'https://192.0.2.1',
      'https://[2001:db8::1]:8443',
    ]
    expect(await brand(owner, { embedOrigins })).toMatchObject({ branding: { embedOrigins }, errors: [] })
  })

  it('is shown on the page and in what messengers read, and what is left out stays', async () => {
    const shop = await newShop()
    const { owner } = shop
    await brand(owner, { displayName: 'Café & Co', accentColor: '#FFE600', logo: PNG })
    const { branding } = await brand(owner, { embedOrigins: ['https://shop.example'] })
    expect(branding).toMatchObject({
      displayName: 'Café & Co',
      accentColor: '#ffe600',
      logoVersion: expect.any(String) as string,
    })
    const { address } = await pageOfOrder(shop.harness)
    const text = await pageText(address)
    expect(text).toContain('<meta property="og:title" content="Payment to Café &amp; Co"')
    expect(text).toContain('<meta property="og:description" content="R$149.90"')
    expect(text).toContain('<meta name="robots" content="noindex, nofollow"')
    expect(text).not.toContain('@example.com')
    const pictures = [...text.matchAll(/property="og:image" content="[^"]*(\/pay\/[^"]*)"/g)].map(
      ([, path]) => path ?? '',
    )
    expect(pictures).toHaveLength(2)
    const amount = await fetch(`${harness.url}${pictures[0] ?? ''}`)
    expect(amount.headers.get('content-type')).toBe('image/png')
    const logo = await fetch(`${harness.url}${pictures[1] ?? ''}`)
    expect(logo.headers.get('content-type')).toBe('image/png')
    expect(Buffer.from(await logo.arrayBuffer()).toString('base64')).toBe(PNG)
  })
})

describe.skipIf(noBrowser)(`a tenant’s page in a browser${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it.each(['light', 'dark'] as const)('can be read in whatever colour: %s', async (colorScheme) => {
    const { owner, harness: own } = await newShop()
    await brand(owner, { displayName: 'Café & Co', accentColor: '#ffe600', logo: PNG })
    const { page, part, assertClean } = await openOrder(own, { colorScheme })
    await untilDrawn({ part }, 'logo')
    const accent = await page.evaluate(
      () => getComputedStyle(document.querySelector('.primary') ?? document.body).backgroundColor,
    )
    expect(accent).toBe(colorScheme === 'dark' ? 'rgb(255, 230, 0)' : accent)
    expect(accent).not.toBe('rgb(31, 79, 216)')
    expect(await violations(page)).toEqual([])
    // Four ways to pay beside each other are wider than a telephone.
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    assertClean()
  })

  it('shows what is sold with its picture, which its payer’s browser gets from nobody but us', async () => {
    const asked: string[] = []
    const { url } = await serve((request, response) => {
      asked.push(String(request.url))
      if (request.url === '/moved.png') {
        response.writeHead(302, { location: '/cup.png' }).end()
        return
      }
      const [bytes, type] =
        request.url === '/cup.png' ? [Buffer.from(PNG, 'base64'), 'text/html'] : ['<svg/>', 'image/svg+xml']
      response.setHeader('content-type', type)
      response.end(bytes)
    })
    const names = ['moved.png', 'cup.svg']
    const { address } = await pageOfOrder(harness, {
      order_items: [
        ...names.map((name) => ({ name, quantity: 1, image_url: `${url}/${name}` })),
        { name: 'Tea', quantity: 1 },
      ],
    })
    const { part, assertClean } = await openPage(address, { expected: /404/ })
    const pictures = part('item-picture')
    await untilDrawn({ part }, 'item-picture')
    // What could run scripts is not shown, and leaves no hole.
    await until('the other one is left out', async () => !(await pictures.nth(1).isVisible()))
    expect(await pictures.count()).toBe(2)
    assertClean()
    const src = `${harness.url}${String(await pictures.first().getAttribute('src'))}`
    const answer = await fetch(src)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect((await fetch(src.replace('/item/0', '/item/2'))).status).toBe(404)
    // They are fetched once.
    expect(asked.toSorted()).toEqual(['/cup.png', '/cup.svg', '/moved.png'])
  })

  it('is framed by the sites that the tenant names, which are told where the payment stands; by no other', async () => {
    const { tenant: own, owner } = await newShop()
    const signed = await own.signedPayment(await harness.chain.newPayer())
    const { address } = await sessionOf(signed.id, own)
    const [named, other] = [await shopWith(address), await shopWith(address)]
    expect((await brand(owner, { embedOrigins: [named] })).branding).toMatchObject({ embedOrigins: [named] })
    const policy = (await fetch(address)).headers.get('content-security-policy')
    expect(policy).toContain(`frame-ancestors ${named};`)
    const host = new URL(harness.url).host
    const shop = await openPage(named, { hosts: [host] })
    const told = () => shop.page.evaluate(() => (window as unknown as { told: unknown[] }).told)
    const message = (status: string) => ({
      origin: harness.url,
      data: { type: 'payment_status', payment_id: signed.id, status },
    })
    await until('the site is told', async () => (await told()).length > 0)
    expect(await told()).toEqual([message('waiting')])
    await own.execute(signed)
    await until('the site is told that it is paid', async () =>
      (await told()).some((one) => JSON.stringify(one) === JSON.stringify(message('paid'))),
    )
    shop.assertClean()
    const stranger = await openPage(other, { hosts: [host], expected: /frame-ancestors/ })
    await stranger.page.waitForLoadState('networkidle')
    expect(await stranger.page.evaluate(() => (window as unknown as { told: unknown[] }).told)).toEqual([])
    expect(await stranger.page.frames()[1]?.locator('[data-test="status"]').count()).toBe(0)
  })

  it('is shown as the samples of the guide say: the mutation takes effect, and the site leads on when the money is in', async () => {
    const { tenant: own, owner } = await newShop()
    const named = await owner.graphql(sampleOf('payment-page', 'graphql'))
    expect(named.body.data).toMatchObject({ updateBranding: { branding: { displayName: 'Coffee & Co' }, errors: [] } })
    const signed = await own.signedPayment(await harness.chain.newPayer())
    const { address } = await sessionOf(signed.id, own)
    const sample = sampleOf('payment-page', 'html').replace('https://pay.example/pay/…', address)
    const shop = await serve((_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(`<!doctype html><title>Shop</title>${sample.replace('https://pay.example', harness.url)}`)
    })
    await brand(owner, { embedOrigins: [shop.url] })
    const { page } = await openPage(shop.url, { hosts: [new URL(harness.url).host] })
    await page.frameLocator('iframe').locator('[data-test="status"]').waitFor()
    await own.execute(signed)
    await page.waitForURL(`**/thanks?payment=${signed.id}`)
  })
})
