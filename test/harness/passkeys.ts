import { expect } from 'vitest'
import { authenticator, type Authenticator } from './authenticator.js'
import type { ConsoleBrowser } from './console.js'
import type { Harness } from './harness.js'
import type { Answer } from './http.js'

const START = 'mutation { startPasskey { passkeyCreation { options } errors { code } } }'
const ADD = `mutation ($name: String!, $credential: JSON!) { addPasskey(input: { name: $name, credential: $credential }) {
  passkey { id name createdAt lastUsedAt } errors { code path } } }`

/** What a browser is given to make a passkey. */
export async function startPasskey(browser: ConsoleBrowser): Promise<unknown> {
  const { body, text } = await browser.graphql(START)
  const started = body.data?.['startPasskey'] as { passkeyCreation: { options: unknown } | null } | null
  if (!started?.passkeyCreation) throw new Error(text)
  return started.passkeyCreation.options
}

/** What came of adding a passkey. */
export interface AddedPasskey {
  passkey: { id: string; name: string; createdAt: string; lastUsedAt: string | null } | null
  errors: { code: string; path: string[] | null }[]
}

export async function addPasskey(browser: ConsoleBrowser, name: string, credential: object): Promise<AddedPasskey> {
  const { body, text } = await browser.graphql(ADD, { name, credential })
  if (!body.data?.['addPasskey']) throw new Error(text)
  return body.data['addPasskey'] as AddedPasskey
}

/** A new passkey of the person who is signed in in a browser. */
export async function newPasskey(
  { publicUrl }: Pick<Harness, 'publicUrl'>,
  browser: ConsoleBrowser,
): Promise<Authenticator & { passkeyId: string }> {
  const made = authenticator(publicUrl)
  const { passkey, errors } = await addPasskey(browser, 'Laptop', made.create(await startPasskey(browser)))
  expect(errors).toEqual([])
  return { ...made, passkeyId: passkey?.id ?? 'none' }
}

/** Signs in with what the authenticator has signed. @param lies see `Authenticator` */
export async function passkeySignIn(
  browser: ConsoleBrowser,
  passkey: Authenticator,
  lies: Parameters<Authenticator['sign']>[1] = {},
  body: object = {},
): Promise<Answer> {
  const options = await browser.post('sign-in/passkey/start', {})
  expect(options.status).toBe(200)
  return browser.post('sign-in/passkey', { ...body, credential: passkey.sign(options.body, lies) })
}
