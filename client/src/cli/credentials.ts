import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createClient, type PaymentsClient } from '../client.js'
import { NotPossibleError, type CliEnv } from './io.js'

const DEFAULT_URL = 'http://localhost:4000'

/** Whose account the command line works on, and where. */
export interface Credentials {
  url: string
  apiKey: string
}

/**
 * A client with the key of the environment, or that of `payments login`.
 * @throws NotPossibleError where there is none
 */
export async function openClient(env: CliEnv): Promise<PaymentsClient> {
  const stored = await readCredentials(env)
  const apiKey = env.apiKey ?? stored?.apiKey
  if (apiKey === undefined) {
    throw new NotPossibleError('There is no key. Run `payments login`, or set PAYMENTS_API_KEY.')
  }
  // A key is sent to the address that it was stored with, and to no other that happens to be the default.
  const url = env.url ?? (env.apiKey === undefined ? stored?.url : undefined) ?? DEFAULT_URL
  return createClient({ baseUrl: addressOf(url), apiKey })
}

/** An address of a service. @throws NotPossibleError where it is none */
export function addressOf(url: string | undefined): string {
  if (url === undefined) return DEFAULT_URL
  if (/^https?:\/\//.test(url) && URL.canParse(url)) return url
  throw new NotPossibleError(`${url} is no address: it has to begin with https:// or http://.`)
}

/** Keeps a key where only its owner can read it. */
export async function storeCredentials({ credentialsFile }: CliEnv, credentials: Credentials): Promise<void> {
  await mkdir(dirname(credentialsFile), { recursive: true, mode: 0o700 })
  const draft = `${credentialsFile}.${process.pid}`
  await writeFile(draft, JSON.stringify(credentials), { mode: 0o600 })
  // The mode above counts only for a file that was not there.
  await chmod(draft, 0o600)
  await rename(draft, credentialsFile)
}

async function readCredentials({ credentialsFile }: CliEnv): Promise<Credentials | undefined> {
  const text = await readFile(credentialsFile, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  try {
    const { url, apiKey } = JSON.parse(text) as Partial<Credentials>
    if (typeof url === 'string' && typeof apiKey === 'string') return { url, apiKey }
  } catch {
    // Said below, as of a file that is JSON and has no key.
  }
  throw new NotPossibleError(`${credentialsFile} cannot be read. Run \`payments login\` again.`)
}
