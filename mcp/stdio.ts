import { createInterface } from 'node:readline'
import { parseJson } from '../kernel/json.js'
import { readStdioEnv, type StdioEnv } from './env.js'

/** The Model Context Protocol over standard input and output: each line is a message, carried to `/mcp` of the service. */
async function main(): Promise<void> {
  const env = await readStdioEnv()
  const pending = new Set<Promise<void>>()
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === '') continue
    const answered: Promise<void> = carry(env, line).finally(() => pending.delete(answered))
    pending.add(answered)
  }
  await Promise.all(pending)
}

/** Sends a message on, and writes its answer as a line. Nothing else is ever written to standard output. */
async function carry({ url, apiKey, isReadOnly }: StdioEnv, line: string): Promise<void> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'x-api-key': apiKey,
  }
  try {
    const address = `${url}/mcp${isReadOnly ? '?read_only=true' : ''}`
    const response = await fetch(address, { method: 'POST', headers, body: line, redirect: 'error' })
    const text = await response.text()
    if (text === '') return
    const answer = JSON.parse(text) as { id: unknown }
    // What the door refuses has not read the message, and so has no id.
    write({ ...answer, id: answer.id ?? idOf(line) })
  } catch {
    const message = `The service does not answer at ${url}. Does it run?`
    write({ jsonrpc: '2.0', id: idOf(line), error: { code: -32_603, message } })
  }
}

function write(answer: object): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}

function idOf(line: string): unknown {
  return (parseJson(line) as { id?: unknown } | null | undefined)?.id ?? null
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
