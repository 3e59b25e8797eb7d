import { text } from 'node:stream/consumers'
import { cli } from './cli.js'
import { readEnv } from './env.js'

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
// A reader that has enough, such as `head`, closes the pipe: that ends the command, and is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})

process.exitCode = await cli(process.argv.slice(2), {
  out: (line) => process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
  readInput: () => text(process.stdin),
  env: readEnv(),
  signal: stopping.signal,
})
