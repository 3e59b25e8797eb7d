import { createHash, createHmac } from 'node:crypto'

/** Who asks AWS. A session token belongs to credentials that end by themselves. */
export interface AwsCredentials {
  accessKeyId: string
  secretAccessKey: string
  sessionToken: string | undefined
}

/** A POST that is to be signed. */
export interface AwsRequest {
  url: URL
  region: string
  service: string
  /** Names in lower case, without `host`. */
  headers: Readonly<Record<string, string>>
  body: string
}

/**
 * Signs a POST without a query for AWS (Signature Version 4).
 * @returns the headers that have to be sent with it, besides `host`
 */
export function signAwsRequest(request: AwsRequest, credentials: AwsCredentials, now: Date): Record<string, string> {
  const { url, region, service, body } = request
  const { accessKeyId, secretAccessKey, sessionToken } = credentials
  const time = now.toISOString().replace(/[-:]|\.\d{3}/g, '')
  const date = time.slice(0, 8)
  const headers: Record<string, string> = {
    ...request.headers,
    'x-amz-date': time,
    ...(sessionToken !== undefined && { 'x-amz-security-token': sessionToken }),
  }
  const signed = Object.entries({ ...headers, host: url.host }).toSorted(([left], [right]) => (left < right ? -1 : 1))
  const names = signed.map(([name]) => name).join(';')
  const lines = signed.map(([name, value]) => `${name}:${value.trim()}\n`).join('')
  const canonical = ['POST', url.pathname, '', lines, names, sha256(body)].join('\n')
  const scope = `${date}/${region}/${service}/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')
  const key = [date, region, service, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`)
  const signature = hmac(key, toSign).toString('hex')
  const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`
  return { ...headers, authorization }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
