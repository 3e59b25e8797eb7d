import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What carries messages needs to know. */
export interface StdioEnv {
  url: string
  apiKey: string
  isReadOnly: boolean
}

/**
 * Reads `PAYMENTS_URL` and `PAYMENTS_API_KEY`, or takes those of the sandbox that runs here; `MCP_READ_ONLY=on` leaves out what
 * changes something.
 * @throws Error where there is no key
 */
export async function readStdioEnv(): Promise<StdioEnv> {
  const { PAYMENTS_URL, PAYMENTS_API_KEY, MCP_READ_ONLY, DATA_DIR = '.data' } = process.env
  const isReadOnly = MCP_READ_ONLY === 'on'
  if (PAYMENTS_API_KEY !== undefined) {
    return { url: withoutSlash(PAYMENTS_URL ?? 'http://localhost:4000'), apiKey: PAYMENTS_API_KEY, isReadOnly }
  }
  const file = join(DATA_DIR, 'sandbox.json')
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new Error(
      `Set PAYMENTS_API_KEY and PAYMENTS_URL, or start the sandbox first (npm start): there is no ${file}.`,
      { cause },
    )
  })
  const { rest_url: url, api_key: apiKey } = JSON.parse(text) as { rest_url: string; api_key: string }
  return { url: withoutSlash(url), apiKey, isReadOnly }
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, '')
}
