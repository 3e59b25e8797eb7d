import { join } from 'node:path'
import { defineConfig, type Plugin } from 'vite'
import { precompressed } from './precompressed.js'

const root = join(import.meta.dirname, 'page')
const outDir = join(import.meta.dirname, '..', 'dist', 'page')

/**
 * What Vite wraps each later import in waits for the style sheets of its part, and the parts have none: the page has one style, in its
 * document. Without it the first view is 650 bytes smaller, compressed. The name is Vite's own; where it changes, the helper is back.
 */
const bareImports: Plugin = {
  name: 'bare-imports',
  enforce: 'pre',
  load: (id) => (id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load()' : undefined),
}

/** The payment page for browsers: one script and one style sheet first, the ways to pay when they are chosen. */
export default defineConfig({
  root,
  base: '/checkout/',
  logLevel: 'warn',
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [bareImports, precompressed(outDir)],
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
