import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { projectRoot } from '../kernel/root.js'
import { send } from '../test/harness/http.js'
import { startHarness } from '../test/harness/harness.js'
import { en } from './page/messages/en.js'
import { pt } from './page/messages/pt.js'
import { statementCsv } from './page/pages/statement-csv.js'

const harness = await startHarness()
const get = (path: string, headers = {}) =>
  send({ method: 'GET', url: `${harness.url}${path}`, headers, body: undefined })

interface Chunk {
  file: string
  imports?: string[]
}

/** The files that a browser reads for a view: of its sources, and of what they import at once. */
function filesOf(manifest: Record<string, Chunk>, sources: readonly string[]): Set<string> {
  const files = new Set<string>()
  const add = (source: string): void => {
    const chunk = manifest[source]
    if (!chunk) throw new Error(`there is no ${source}`)
    if (files.has(chunk.file)) return
    files.add(chunk.file)
    chunk.imports?.forEach(add)
  }
  sources.forEach(add)
  return files
}

/** The places of all texts, e.g. `nav.payments`. */
function placesOf(texts: object, before = ''): string[] {
  return Object.entries(texts).flatMap(([name, text]: [string, unknown]) =>
    typeof text === 'object' && text !== null ? placesOf(text, `${before}${name}.`) : `${before}${name}`,
  )
}

describe('the console', () => {
  it.each(['/console', '/console/', '/console/payments/cabc?x=1', '/console/orders/new'])(
    'answers %s with its document, under a policy that lets in no other host and no foreign style',
    async (path) => {
      const answer = await get(path)
      expect(answer.status).toBe(200)
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
      const policy = String(answer.headers['content-security-policy'])
      const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? ''
      expect(nonce.length).toBeGreaterThan(20)
      expect(answer.text).toContain(`content="${nonce}"`)
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toMatch(/unsafe|https?:/)
      expect(answer.headers['cache-control']).toBe('no-store')
      expect((await get(path)).text).not.toContain(nonce)
    },
  )

  it('serves its files for good, and knows nothing else below their folder or that of its routes', async () => {
    const [, script = ''] = /src="([^"]+)"/.exec((await get('/console')).text) ?? []
    const answer = await get(script, { 'accept-encoding': 'br' })
    expect(answer.headers).toMatchObject({
      'content-encoding': 'br',
      'cache-control': expect.stringContaining('immutable'),
    })
    for (const path of ['/console/assets/none.js', '/console/api/none', '/console/api'])
      expect([path, (await get(path, { 'x-api-key': harness.tenant.key })).status]).toEqual([path, 404])
  })

  it('shows the list of payments with at most 250 kB', () => {
    const folder = join(projectRoot, 'dist', 'console-page')
    const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Record<string, Chunk>
    const files = filesOf(manifest, ['client.tsx', 'style.css', 'pages/payments-page.tsx'])
    const sizes = [...files].map((file) => gzipSync(readFileSync(join(folder, file)), { level: 9 }).length)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(250_000)
  })

  it('has a text in each language for whatever it says', () => {
    // English has the server's own words for the other codes.
    expect(placesOf({ ...pt, errors: {}, operations: {} })).toEqual(placesOf({ ...en, errors: {}, operations: {} }))
    expect(Object.keys(pt.errors)).toEqual(expect.arrayContaining(Object.keys(en.errors)))
    expect(placesOf(en).length).toBeGreaterThan(100)
  })

  it('writes no cell that a spreadsheet would run, and no amount that it would read as text', () => {
    const line = {
      at: '2026-11-23T00:00:00Z',
      kind: 'PLATFORM_FEE' as const,
      entry: '=HYPERLINK("x")',
      paymentId: null,
      orderCode: null,
    }
    const more = {
      rail: null,
      receiver: '@a,b',
      transactionHash: null,
      account: 'owed',
      currency: 'BRL',
      amount: '-1.50',
    }
    expect(statementCsv({ ...line, ...more })).toBe(
      `2026-11-23T00:00:00Z,platform-fee,"'=HYPERLINK(""x"")",'-,,,"'@a,b",,owed,BRL,-1.50\r\n`,
    )
  })
})
