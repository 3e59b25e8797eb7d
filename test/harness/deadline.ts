import { afterAll } from 'vitest'
import { testSettings } from './env.js'

/** A file that starts something which never comes up would hang the whole run: starts at the top of a file have no deadline. */
const FILE_MS = testSettings.fileMinutes * 60_000

const timer = setTimeout(() => {
  console.error(`a test file has taken more than ${FILE_MS / 60_000} minutes`)
  process.exit(1)
}, FILE_MS).unref()
// A process runs many files, one after the other.
afterAll(() => clearTimeout(timer))
