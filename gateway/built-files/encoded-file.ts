import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { brotliDecompress, gzip } from 'node:zlib'

/** A file in each form in which browsers take it. */
export interface EncodedFile {
  br: Buffer
  gzip: Buffer
  plain: Buffer
}

/** A file as the build has left it (`checkout/precompressed.ts`). */
export function readEncoded(path: string): EncodedFile {
  return { br: readFileSync(`${path}.br`), gzip: readFileSync(`${path}.gz`), plain: readFileSync(path) }
}

/** The same of a file of which only the smallest form is at hand. */
export async function encodedFrom(br: Buffer): Promise<EncodedFile> {
  const plain = await promisify(brotliDecompress)(br)
  return { br, gzip: await promisify(gzip)(plain, { level: 9 }), plain }
}

/** The smallest form that a browser takes. @param accepted its `Accept-Encoding` */
export function smallestOf(
  file: EncodedFile,
  accepted: string,
): { content: Buffer; encoding: 'br' | 'gzip' | undefined } {
  const encoding = (['br', 'gzip'] as const).find((one) => accepts(accepted, one))
  return { content: file[encoding ?? 'plain'], encoding }
}

function accepts(header: string, encoding: string): boolean {
  return header.split(',').some((part) => part.trim().split(';')[0] === encoding && !/q=0(?:\.0*)?$/.test(part.trim()))
}
