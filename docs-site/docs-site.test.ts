import { describe, expect, it } from 'vitest'
import { startHarness } from '../test/harness/harness.js'
import { GUIDE_NAMES } from './guides.js'

const { rest, clock } = await startHarness()
const page = async (path: string) => {
  const { status, headers, text } = await rest('GET', path)
  return { status, headers, text }
}

describe('the documentation', () => {
  it('shows every page without a key, and lets a browser load nothing from elsewhere', async () => {
    for (const path of ['/', '/docs', ...GUIDE_NAMES.map((name) => `/docs/${name}`), '/docs/errors']) {
      const { status, headers, text } = await page(path)
      expect([path, status]).toEqual([path, 200])
      expect(headers['content-security-policy']).toContain("default-src 'none'")
      expect(text).not.toMatch(/<script|<link|src="http/)
    }
  })

  it('has no link within itself that leads nowhere', async () => {
    const seen = new Set<string>()
    const open = ['/docs']
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      const [address = '', anchor] = path.split('#')
      const { status, text } = await page(address)
      expect([path, status]).toEqual([path, 200])
      // Places of the reference are drawn in the browser, where `reference.test.ts` looks for them.
      if (anchor !== undefined && address !== '/docs/reference') expect(text).toContain(`id="${anchor}"`)
      for (const [, link = ''] of text.matchAll(/href="(\/docs[^"]*)"/g)) {
        if (seen.has(link)) continue
        seen.add(link)
        open.push(link)
      }
    }
    expect(seen.size).toBeGreaterThan(GUIDE_NAMES.length)
  })

  it('finds codes, paths and words of the guides, and escapes what was asked', async () => {
    expect((await page('/docs/search?q=otp_expired')).text).toContain('href="/docs/errors#otp_expired"')
    expect((await page('/docs/search?q=devices+blockhash')).text).toContain('Nothing has')
    expect((await page('/docs/search?q=blockhash%20minute')).text).toContain('/docs/wallets#on-solana')
    expect((await page('/docs/search?q=refund')).text).toContain('/docs/reference#tag/payments/refundPayment')
    expect((await page('/docs/search?q=payment/:id/events')).text).toContain(
      '/docs/reference#tag/payments/paymentEvents',
    )
    expect((await page('/docs/search?q=%3Cscript%3E')).text).not.toContain('<script')
    expect((await page('/docs/search?q=3ds')).text).toContain('/docs/cards#3-d-secure-3ds-')
    expect((await page('/docs/search?q=secret')).text).not.toContain('```')
  })

  it('is searched so often for one address, whatever the question costs', async () => {
    clock.advance(60_000)
    const question = `/docs/search?q=${encodeURIComponent('e t a o i n '.repeat(8))}`
    let answered = 0
    // The budget fills up while they are asked.
    while (answered < 1_000 && (await page(question)).status === 200) answered += 1
    expect(answered).toBeGreaterThanOrEqual(60)
    expect(answered).toBeLessThan(1_000)
    expect((await page('/docs/search')).status).toBe(200)
    clock.advance(60_000)
    expect((await page('/docs/search?q=refund')).status).toBe(200)
  })
})
