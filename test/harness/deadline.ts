/** A file that starts something which never comes up would hang the whole run: starts at the top of a file have no deadline. */
const FILE_MS = Number(process.env['TEST_FILE_MINUTES'] ?? 8) * 60_000

setTimeout(() => {
  console.error(`a test file has taken more than ${FILE_MS / 60_000} minutes`)
  process.exit(1)
}, FILE_MS).unref()
