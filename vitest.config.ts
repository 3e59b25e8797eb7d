import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { builtModules } from './test/built-modules.js'
import { PlainLineReporter } from './test/harness/plain-line-reporter.js'

/** Runs a whole product against the clock of its chains: it has the machine for itself, after all others. */
const HOSTILE_WORLD = 'chaos/chaos.test.ts'

/** Rails and providers that these tests add to the registries are there for every file of the same process. */
const MADE_UP = 'test/made-up/**/*.test.ts'

const CORES = Math.min(Math.max(availableParallelism(), 2), 3)

const exclude = [...configDefaults.exclude, 'dist/**', 'client/dist/**']

/** Files of one part share processes. A process for all of them would hold two gigabytes in the end, and be slow with it. */
const PARTS = {
  payments: ['subgraphs/payments/**'],
  subgraphs: [
    'subgraphs/{accounts,kyc,orders,yield}/**',
    'kernel/**',
    'terms/**',
    'chains/**',
    'sandbox/**',
    'chaos/**',
  ],
  pages: ['checkout/**', 'console/**', 'docs-site/**', 'test/{checkout,console}/**'],
}
const testsIn = (folders: readonly string[]) => folders.map((folder) => `${folder}/*.test.{ts,tsx}`)
/** Files that drive a browser come first, and use two cores fully. The others wait for a process or a block most of the time. */
const orderOf = (name: string) =>
  name === 'pages' ? { maxWorkers: CORES + 1, sequence: { groupOrder: 0 } } : { sequence: { groupOrder: 1 } }
const part = (name: string, include: string[], outside: string[] = []) => ({
  extends: true as const,
  test: { name, include, exclude: [...exclude, HOSTILE_WORLD, MADE_UP, ...outside], ...orderOf(name) },
})

export default defineConfig({
  plugins: [builtModules()],
  // As Node resolves. Vite alone would read `"main": "index"` of graphql as index.mjs and hand tests a second copy of it,
  // whose classes the copy that type-graphql and the gateway require() does not recognise.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  resolve: { mainFields: [], extensions: ['.js', '.ts', '.json'] },
  test: {
    // Tests start real processes and listen on real ports. A process runs many files, one after the other: half of the time
    // of a process for each file goes into loading the same modules again. What a file starts, it ends (`at-end.ts`). What the
    // product keeps in a module stays there from file to file, as it does in a process that runs for a year.
    pool: 'forks',
    isolate: false,
    maxWorkers: CORES + 2,
    // A limit for what hangs, not for what is slow: a machine may have several things to do at once, and a test of pages opens several.
    testTimeout: 240_000,
    hookTimeout: 180_000,
    // Node itself loads what `builtModules` leads to, once for a process.
    server: { deps: { external: [/\/dist\//] } },
    globalSetup: ['test/harness/global-setup.ts'],
    setupFiles: ['test/harness/deadline.ts'],
    reporters: ['default', new PlainLineReporter()],
    projects: [
      ...Object.entries(PARTS).map(([name, folders]) => part(name, testsIn(folders))),
      part('product', ['**/*.test.{ts,tsx}'], Object.values(PARTS).flatMap(testsIn)),
      {
        extends: true,
        test: { name: 'made-up', include: [MADE_UP], exclude, isolate: true, sequence: { groupOrder: 1 } },
      },
      { extends: true, test: { name: 'chaos', include: [HOSTILE_WORLD], exclude, sequence: { groupOrder: 2 } } },
    ],
  },
})
