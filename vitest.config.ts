import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { PlainLineReporter } from './test/harness/plain-line-reporter.js'

/** Runs a whole product against the clock of its chains: it has the machine for itself, after all others. */
const HOSTILE_WORLD = 'chaos/chaos.test.ts'

const exclude = [...configDefaults.exclude, 'dist/**', 'client/dist/**']

export default defineConfig({
  // As Node resolves. Vite alone would read `"main": "index"` of graphql as index.mjs and hand tests a second copy of it,
  // whose classes the copy that type-graphql and the gateway require() does not recognise.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  resolve: { mainFields: [], extensions: ['.js', '.ts', '.json'] },
  test: {
    // Tests start real processes and listen on real ports: each file gets a process of its own.
    pool: 'forks',
    maxWorkers: Math.min(Math.max(availableParallelism(), 2), 4),
    testTimeout: 30_000,
    hookTimeout: 60_000,
    globalSetup: ['test/harness/global-setup.ts'],
    setupFiles: ['test/harness/deadline.ts'],
    reporters: ['default', new PlainLineReporter()],
    projects: [
      {
        extends: true,
        test: {
          name: 'tests',
          include: ['**/*.test.ts'],
          exclude: [...exclude, HOSTILE_WORLD],
          sequence: { groupOrder: 0 },
        },
      },
      { extends: true, test: { name: 'chaos', include: [HOSTILE_WORLD], exclude, sequence: { groupOrder: 1 } } },
    ],
  },
})
