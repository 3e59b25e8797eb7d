import { readFile } from 'node:fs/promises'
import { NotPossibleError } from './io.js'

/** What the command line needs of `sandbox.json`. */
export interface SandboxFile {
  rest_url: string
  api_key: string
  platform_key: string
  public_client_id: string
  pix_url: string
  card_url: string
  kyc_url: string
  mailbox_url: string
  receivers: { evm: readonly string[] }
}

/** Where `npm start` keeps it, seen from the folder of the product. */
export const SANDBOX_FILE = '.data/sandbox.json'

/** Reads how a sandbox is controlled. @throws NotPossibleError where there is no such file */
export async function readSandbox(file?: string): Promise<SandboxFile> {
  try {
    return JSON.parse(await readFile(file ?? SANDBOX_FILE, 'utf8')) as SandboxFile
  } catch (cause) {
    const advice =
      file === undefined
        ? 'Only a sandbox can do this: name its file with --sandbox.'
        : '--sandbox needs the sandbox.json in the data folder of a sandbox that runs.'
    throw new NotPossibleError(`${file ?? SANDBOX_FILE} cannot be read. ${advice}`, { cause })
  }
}

/**
 * Uses a control of a simulator.
 * @throws NotPossibleError where it refuses
 */
export async function control(url: string, body: object, key?: string): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key !== undefined && { 'x-api-key': key }) },
    body: JSON.stringify(body),
  }).catch((cause: unknown) => {
    throw new NotPossibleError(`The sandbox does not answer at ${new URL(url).origin}.`, { cause })
  })
  const text = await response.text()
  if (!response.ok) throw new NotPossibleError(`The sandbox answered ${response.status}: ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}
