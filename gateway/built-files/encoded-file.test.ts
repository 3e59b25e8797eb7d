import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { encodedText, readEncoded, smallestOf } from './encoded-file.js'

/** A file as the build leaves it, in a folder of its own. */
async function builtFile(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'encoded-file-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'part.js')
  await writeFile(file, text)
  await writeFile(`${file}.br`, brotliCompressSync(text))
  await writeFile(`${file}.gz`, gzipSync(text))
  return file
}

it.each([1, 100])(
  'has a file of %i kB in each form, and still has it once a later build has removed the file',
  async (kilobytes) => {
    const text = randomBytes(kilobytes * 500).toString('hex')
    const path = await builtFile(text)
    const file = readEncoded(path)
    const formOf = async (accepted: string) => (await smallestOf(file, accepted)).content
    const isWhole = async () => {
      expect((await formOf('identity')).toString() === text).toBe(true)
      expect(gunzipSync(await formOf('gzip')).toString() === text).toBe(true)
      expect(await formOf('gzip, br')).toBe(file.br)
    }
    await isWhole()
    for (const form of ['', '.gz', '.br']) await rm(`${path}${form}`)
    await isWhole()
  },
)

it('has a text in each form, and the smallest where any is taken', async () => {
  const text = 'every word of it '.repeat(1000)
  const file = await encodedText(text)
  const formOf = async (accepted: string) => {
    const { content, encoding } = await smallestOf(file, accepted)
    return { encoding, content }
  }
  for (const accepted of ['br', 'BR', '*', 'gzip;q=0.5, *', 'identity;q=0, br;q=0.1']) {
    const { encoding, content } = await formOf(accepted)
    expect([accepted, encoding]).toEqual([accepted, 'br'])
    expect(brotliDecompressSync(content).toString()).toBe(text)
  }
  for (const accepted of ['gzip', 'br;q=0, gzip', 'br;q=0.0, *', 'br;Q=0, GZIP', 'br ; q=0 , gzip']) {
    const { encoding, content } = await formOf(accepted)
    expect([accepted, encoding]).toEqual([accepted, 'gzip'])
    expect(gunzipSync(content).toString()).toBe(text)
  }
  for (const accepted of ['', 'identity', '*;q=0', 'br;q=0, gzip;q=0']) {
    expect(await formOf(accepted)).toEqual({ encoding: undefined, content: Buffer.from(text) })
  }
})
