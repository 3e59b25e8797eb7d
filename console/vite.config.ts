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
  oxc: { jsx: { runtime: 'automatic', importSource: 'react', development: false } },
  // Whoever builds: a test runner has a word of its own there, and React would be built for its developers.
  define: { 'process.env.NODE_ENV': JSON.stringify('production') },
  plugins: [precompressed(outDir)],
  build: {
    outDir,
    emptyOutDir: true,
    manifest: 'manifest.json',
    target: 'es2022',
    // They know light-dark(), which is not to be rewritten: the kit sets the scheme by an attribute.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: false,
    // One style sheet: its order is that of the imports, whichever page comes first.
    cssCodeSplit: false,
    rolldownOptions: {
      input: { console: join(root, 'client.tsx') },
      onLog(level, log, show) {
        // The packages say which of their files a server may not run; none is run by one here.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') show(level, log)
      },
    },
  },
})
