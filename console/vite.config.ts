import { join } from 'node:path'
import { defineConfig } from 'vite'
import { precompressed } from '../checkout/precompressed.js'

const root = join(import.meta.dirname, 'page')
const outDir = join(import.meta.dirname, '..', 'dist', 'console-page')

/** The console for browsers: the frame and the sign-in first, each page when it is looked at. */
export default defineConfig({
  root,
  base: '/console/',
  logLevel: 'warn',
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'react' } },
  plugins: [precompressed(outDir)],
  build: {
    outDir,
    emptyOutDir: true,
    manifest: 'manifest.json',
    target: 'es2022',
    modulePreload: false,
    // One style sheet: its order is that of the imports, whichever page comes first.
    cssCodeSplit: false,
    rolldownOptions: { input: { console: join(root, 'client.tsx') } },
  },
})
