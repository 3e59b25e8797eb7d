import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { projectRoot } from '../../kernel/root.js'
import { ownFolder } from '../harness/at-end.js'
import { type Answer, send } from '../harness/http.js'
import { startProcessHarness } from '../harness/process-harness.js'
import type { ProductProcess } from '../harness/product-process.js'

/** Where the files of each page are built, and where they are served. */
const PAGES = { page: '/checkout', 'console-page': '/console', 'reference-page': '/docs/reference' }

/** What of `dist/` finds the rest from where it is itself. */
const PROGRAM = ['main.js', 'product']

const isFile = (name: string): boolean => /\.(?:js|css)$/.test(name)
const renamed = (name: string): string => name.replace(/-[\w-]{8}(\.\w+)$/, '-2ndBuild$1')

/** The product as another build would be: the same, but for the names of all scripts and style sheets, and for what is in them. */
async function otherBuild(): Promise<string> {
  const root = await ownFolder()
  const link = async (from: string, name: string) => symlink(join(projectRoot, from, name), join(root, from, name))
  for (const name of await readdir(projectRoot)) if (name !== 'dist' && !name.startsWith('.')) await link('', name)
  await mkdir(join(root, 'dist'))
  for (const name of await readdir(join(projectRoot, 'dist'))) {
    if (name.startsWith('.')) continue
    if (name in PAGES) await rename(join(projectRoot, 'dist', name), join(root, 'dist', name))
    else if (PROGRAM.includes(name))
      await cp(join(projectRoot, 'dist', name), join(root, 'dist', name), { recursive: true })
    else await link('dist', name)
  }
  return root
}

async function rename(from: string, to: string): Promise<void> {
  const names = (await readdir(join(from, 'assets'))).filter(isFile)
  const rewritten = async (file: string): Promise<string> =>
    names.reduce((text, name) => text.replaceAll(name, renamed(name)), await readFile(join(from, file), 'utf8'))
  await mkdir(join(to, 'assets'), { recursive: true })
  await writeFile(join(to, 'manifest.json'), await rewritten('manifest.json'))
  for (const name of names) {
    const content = Buffer.from(`${await rewritten(join('assets', name))}\n/* the second build */\n`)
    const file = join(to, 'assets', renamed(name))
    await writeFile(file, content)
    await writeFile(`${file}.gz`, gzipSync(content, { level: 9 }))
    await writeFile(`${file}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }))
  }
}

/** The paths of all files of a build's pages. */
async function pathsIn(root: string): Promise<string[]> {
  const ofPage = async ([folder, base]: [string, string]): Promise<string[]> =>
    (await readdir(join(root, 'dist', folder, 'assets'))).filter(isFile).map((name) => `${base}/assets/${name}`)
  return (await Promise.all(Object.entries(PAGES).map(ofPage))).flat()
}

const secondRoot = await otherBuild()
const harness = await startProcessHarness()
const first = await harness.start('first')
const ofFirst = await pathsIn(projectRoot)
const ofSecond = await pathsIn(secondRoot)

const ask = (product: ProductProcess, path: string, encoding: string): Promise<Answer> =>
  send({ method: 'GET', url: `${product.url}${path}`, headers: { 'accept-encoding': encoding } })

/** What a browser can notice of an answer. */
async function seen(product: ProductProcess, path: string, encoding: string): Promise<object> {
  const { status, text, headers } = await ask(product, path, encoding)
  const { date: _date, 'x-request-id': _id, ...others } = headers
  return { path, encoding, status, text, headers: others }
}

async function expectSame(theirs: ProductProcess, others: ProductProcess, paths: readonly string[]): Promise<void> {
  for (const path of paths)
    for (const encoding of ['gzip, deflate, br', 'gzip', 'identity']) {
      const answer = await seen(theirs, path, encoding)
      expect(answer).toMatchObject({ status: 200, headers: { 'cache-control': 'public, max-age=31536000, immutable' } })
      expect(await seen(others, path, encoding)).toEqual(answer)
    }
}

describe('two builds of the product on one database', async () => {
  const second = await harness.start('second', {}, { root: secondRoot })

  it('have no file in common, and give each page its own', async () => {
    expect(ofFirst.filter((each) => ofSecond.includes(each))).toEqual([])
    for (const [product, paths] of [[first, ofFirst] as const, [second, ofSecond] as const]) {
      const { text } = await ask(product, '/console', 'identity')
      expect(paths).toContain(/src="([^"]+)"/.exec(text)?.[1])
    }
  })

  it('give a page of the older one what it asks of the newer one, by the same headers', async () => {
    await expectSame(first, second, ofFirst)
  })

  it('give a page of the newer one what it asks of the older one', async () => {
    await expectSame(second, first, ofSecond)
  })

  it('go on so once the older one has ended, and after another start of the newer one', async () => {
    await first.stop()
    await second.stop()
    const again = await harness.start('again', {}, { root: secondRoot })
    for (const each of ofFirst) expect([each, (await ask(again, each, 'br')).status]).toEqual([each, 200])
    const { status, headers } = await ask(again, '/checkout/assets/page-00000000.js', 'br')
    expect([status, headers['cache-control']]).toEqual([404, 'no-store'])
  })
})
