import { join } from 'node:path'
import { defineConfig } from 'vite'

/** The toy wallet: one script, which only a sandbox serves. */
export default defineConfig({
  root: import.meta.dirname,
  logLevel: 'warn',
  publicDir: false,
  build: {
    outDir: join(import.meta.dirname, '..', '..', 'dist', 'toy-wallet'),
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: false,
    rolldownOptions: {
      input: join(import.meta.dirname, 'page.ts'),
      output: { entryFileNames: 'toy-wallet.js' },
    },
  },
})
