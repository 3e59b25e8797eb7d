import { join } from 'node:path'
import { defineConfig } from 'vite'
import { precompressed } from './precompressed.js'

const root = join(import.meta.dirname, 'page')
const outDir = join(import.meta.dirname, '..', 'dist', 'page')

/** The payment page for browsers: one script and one style sheet first, the ways to pay when they are chosen. */
export default defineConfig({
  root,
  base: '/checkout/',
  logLevel: 'warn',
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [precompressed(outDir)],
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
