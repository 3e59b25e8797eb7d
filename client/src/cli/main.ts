import { text } from 'node:stream/consumers'
import { cli } from './cli.js'
import { readEnv } from './env.js'

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())

process.exitCode = await cli(process.argv.slice(2), {
  out: (line) => process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
  readInput: () => text(process.stdin),
  env: readEnv(),
  signal: stopping.signal,
})
