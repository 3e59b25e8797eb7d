import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { createHttpClient } from '../../kernel/http.js'
import { protocolError } from '../../kernel/provider-error.js'
import type { AwsCredentials } from './aws-signature.js'
import { SIGNER_TIMEOUT_MS, type SignerAccess } from './signer-failure.js'

/** Gives credentials that hold now. */
export type AwsCredentialSource = () => Promise<AwsCredentials>

/** Where a container gets credentials of its role, and the file of the token that is asked for there. */
export interface ContainerRole {
  url: string
  tokenFile: string | undefined
}

const PROVIDER = 'aws-credentials'
/** Where ECS answers the containers of a task. */
const ECS_ORIGIN = 'http://169.254.170.2'
/** These answer the containers of one machine only, so that they need no https: ECS, EKS, loopback. */
const HOSTS = /^(169\.254\.170\.2|169\.254\.170\.23|\[fd00:ec2::23\]|localhost|127\.\d+\.\d+\.\d+|\[::1\])$/
/** Credentials are renewed so long before they end. */
const RENEW_BEFORE_MS = 5 * 60_000

const ANSWER = z.object({
  AccessKeyId: z.string().min(1),
  SecretAccessKey: z.string().min(1),
  Token: z.string().min(1),
  Expiration: z.iso.datetime({ offset: true }).transform((text) => Date.parse(text)),
})

/**
 * Credentials of a container's role (ECS, EKS Pod Identity), renewed before they end. One that cannot be renewed is used
 * until it ends.
 * @throws ProviderError (each call) where there are none
 */
export function containerCredentials(
  { url, tokenFile }: ContainerRole,
  { log, timeoutMs = SIGNER_TIMEOUT_MS, now }: SignerAccess & { now: () => Date },
): AwsCredentialSource {
  const { origin, pathname } = new URL(url)
  // Who knows the path on that machine has the credentials, and the HTTP client logs it.
  const silent = log.child({}, { level: 'silent' })
  const http = createHttpClient({ provider: PROVIDER, baseUrl: origin, timeoutMs, log: silent })
  let held: { credentials: AwsCredentials; endsAtMs: number } | undefined
  const renew = async (): Promise<NonNullable<typeof held>> => {
    const headers = tokenFile === undefined ? {} : { authorization: await readToken(tokenFile) }
    const { body } = await http.request({ method: 'GET', path: pathname, headers, idempotent: true })
    const { data } = ANSWER.safeParse(body)
    if (!data) throw protocolError(PROVIDER, `${PROVIDER} sent no credentials`)
    const { AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey, Token: sessionToken } = data
    return { credentials: { accessKeyId, secretAccessKey, sessionToken }, endsAtMs: data.Expiration }
  }
  return async () => {
    const nowMs = now().getTime()
    if (held && nowMs < held.endsAtMs - RENEW_BEFORE_MS) return held.credentials
    try {
      held = await renew()
    } catch (error) {
      if (!held || nowMs >= held.endsAtMs) throw error
    }
    return held.credentials
  }
}

/**
 * Reads `AWS_CONTAINER_CREDENTIALS_FULL_URI`.
 * @throws Error whose message completes "NAME …"
 */
export function parseContainerUrl(text: string): string {
  const url = URL.parse(text)
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && HOSTS.test(url.hostname))
  if (!url || !isSafe || url.search !== '' || url.username !== '') {
    throw new Error('must be an https URL without a query, or http at the address of ECS, EKS or loopback')
  }
  return url.href
}

/**
 * Reads `AWS_CONTAINER_CREDENTIALS_RELATIVE_URI`.
 * @throws Error as `parseContainerUrl`
 */
export function parseContainerPath(text: string): string {
  if (!/^\/[\w/.-]+$/.test(text)) throw new Error('must be a path')
  return `${ECS_ORIGIN}${text}`
}

/** It is exchanged from time to time, so that it is read each time. */
async function readToken(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch {
    throw protocolError(PROVIDER, `${PROVIDER} needs a token, whose file cannot be read`)
  }
}
