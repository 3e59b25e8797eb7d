import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { PlainLineReporter } from './test/harness/plain-line-reporter.js'

export default defineConfig({
  // As Node resolves. Vite alone would read `"main": "index"` of graphql as index.mjs and hand tests a second copy of it,
  // whose classes the copy that type-graphql and the gateway require() does not recognise.
  resolve: { mainFields: [], extensions: ['.js', '.ts', '.json'] },
  test: {
    include: ['**/*.test.ts'],
    exclude: ['**/node_modules/**', 'dist/**'],
    // Tests start real processes and listen on real ports: each file gets a process of its own.
    pool: 'forks',
    maxWorkers: Math.min(Math.max(availableParallelism(), 2), 4),
    testTimeout: 30_000,
    hookTimeout: 60_000,
    globalSetup: ['test/harness/global-setup.ts'],
    reporters: ['default', new PlainLineReporter()],
  },
})
