import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

/**
 * Compresses what a build has made, once: the server hands out what a browser takes, and never compresses itself.
 * @param outDir where the build goes; its scripts and style sheets are in `assets`
 * @param options.brotliQuality 0 to 11, the best
 */
export function precompressed(outDir: string, { brotliQuality = 11 } = {}): Plugin {
  const params = { [constants.BROTLI_PARAM_QUALITY]: brotliQuality }
  return {
    name: 'precompressed',
    closeBundle() {
      const folder = join(outDir, 'assets')
      for (const file of readdirSync(folder).filter((name) => /\.(?:js|css)$/.test(name))) {
        const content = readFileSync(join(folder, file))
        writeFileSync(join(folder, `${file}.br`), brotliCompressSync(content, { params }))
        writeFileSync(join(folder, `${file}.gz`), gzipSync(content, { level: 9 }))
      }
    },
  }
}
