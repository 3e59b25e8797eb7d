import { readFileSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants, gzip } from 'node:zlib'
import Negotiator from 'negotiator'

/** A file in each form in which browsers take it. */
export interface EncodedFile {
  br: Buffer
  gzip: Buffer
  plain: Buffer
}

/** A form of a file: its bytes, or what reads them. */
type Form = Buffer | (() => Promise<Buffer>)

/** A file as it is served. Nearly all browsers take Brotli, so the other forms of a large one are in no memory. */
export type ServedFile = Pick<EncodedFile, 'br'> & Record<'gzip' | 'plain', Form>

/** Of files that are larger, in bytes, only the smallest form is kept: of the renderer of the reference the others take 5.6 MB. */
const KEPT_MAX_BYTES = 64 * 1024

/** A file as the build has left it (`checkout/precompressed.ts`). Its name has a hash of what is in it, so a later build puts nothing else there. */
export function readEncoded(path: string): ServedFile {
  const br = readFileSync(`${path}.br`)
  if (statSync(path).size <= KEPT_MAX_BYTES) return { br, gzip: readFileSync(`${path}.gz`), plain: readFileSync(path) }
  return {
    br,
    gzip: () => readFile(`${path}.gz`).catch(async () => (await encodedFrom(br)).gzip),
    plain: () => readFile(path).catch(async () => (await encodedFrom(br)).plain),
  }
}

/** The same of a file of which only the smallest form is at hand. */
export async function encodedFrom(br: Buffer): Promise<EncodedFile> {
  const plain = await promisify(brotliDecompress)(br)
  return { br, gzip: await promisify(gzip)(plain, { level: 9 }), plain }
}

/** Of a text that is made at each start: 11, the best, takes 50 times as long. */
const TEXT_QUALITY = 5

/** A text in each form, made once: who asks for one could otherwise have it made over and over. */
export async function encodedText(text: string): Promise<EncodedFile> {
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: TEXT_QUALITY } }),
    promisify(gzip)(text),
  ])
  return { br, gzip: zipped, plain: Buffer.from(text) }
}

/** The smallest form that a browser takes. @param accepted its `Accept-Encoding` */
export async function smallestOf(
  file: ServedFile,
  accepted: string,
): Promise<{ content: Buffer; encoding: 'br' | 'gzip' | undefined }> {
  const negotiator = new Negotiator({ headers: { 'accept-encoding': accepted } })
  // One at a time: of two that a browser takes alike, the library chooses the one that the browser names first.
  const encoding = (['br', 'gzip'] as const).find((one) => negotiator.encoding([one]) !== undefined)
  const form = file[encoding ?? 'plain']
  return { content: typeof form === 'function' ? await form() : form, encoding }
}
