import { readFileSync, writeFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'

const root = join(import.meta.dirname, 'page')
const outDir = join(import.meta.dirname, '..', 'dist', 'page')

/** Compressed once, here: the server hands out what a browser takes, and never compresses itself. */
const precompressed: Plugin = {
  name: 'precompressed',
  closeBundle() {
    const folder = join(outDir, 'assets')
    for (const file of readdirSync(folder).filter((name) => /\.(?:js|css)$/.test(name))) {
      const content = readFileSync(join(folder, file))
      writeFileSync(join(folder, `${file}.br`), brotliCompressSync(content))
      writeFileSync(join(folder, `${file}.gz`), gzipSync(content, { level: 9 }))
    }
  },
}

/** The payment page for browsers: one script and one style sheet first, the ways to pay when they are chosen. */
export default defineConfig({
  root,
  base: '/checkout/',
  logLevel: 'warn',
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [precompressed],
  build: {
    outDir,
    emptyOutDir: true,
    manifest: 'manifest.json',
    target: 'es2022',
    // The helper would write link elements; the ways to pay are small, and asked for when they are needed.
    modulePreload: false,
    rolldownOptions: { input: { page: join(root, 'client.tsx'), style: join(root, 'style.css') } },
  },
})
