/** What a child process needs of this machine, and nothing of what was set for us. */
export const machineEnv = { PATH: process.env['PATH'], HOME: process.env['HOME'] }

/** What a run of the tests can be given. */
export const testSettings = {
  /** How long one file may take. */
  fileMinutes: Number(process.env['TEST_FILE_MINUTES'] ?? 12),
  /** How many operations `gateway/random-operations.test.ts` draws, and from which number on. */
  randomOperations: Number(process.env['RANDOM_OPERATIONS'] ?? 200),
  randomSeed: Number(process.env['RANDOM_SEED'] ?? 1),
  /** The Chromium that drives pages, where it is not to be the one that is found. */
  browserPath: process.env['TEST_BROWSER'],
  /** Whether the browser's pages wait for each answer and compute slowly. */
  isBrowserSlow: process.env['SLOW_BROWSER'] === '1',
}
