import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { serve } from './serve.js'
import type { SignerFault } from './web3signer.js'

/** Who may ask the stand-in, and where it believes to be. */
export const KMS_ACCOUNT = {
  region: 'eu-central-1',
  accessKeyId: 'AKIDOFATEST',
  secretAccessKey: 'a/secret+of a test',
  sessionToken: 'a session token of a test',
} as const

/** AWS KMS with a few keys, as far as its action `Sign` goes. */
export interface KmsStandIn {
  url: string
  /** How often it was asked for a signature and failed as told. */
  failures: number
  /** Signatures are answered so, until it is taken away. */
  fault: SignerFault | undefined
}

/** A key: its curve, and 32 bytes. */
export interface KmsKey {
  spec: 'ECC_SECG_P256K1' | 'ECC_NIST_EDWARDS25519'
  secret: Uint8Array
}

class KmsError extends Error {
  constructor(readonly type: string) {
    super(type)
  }
}

/** Starts it. It checks the signature of each request, and signs as KMS does: half of the ECDSA signatures have a high s. */
export async function startKms(keys: Readonly<Record<string, KmsKey>>): Promise<KmsStandIn> {
  const standIn: KmsStandIn = { url: '', failures: 0, fault: undefined }
  const { url } = await serve((request, response) => {
    void (async () => {
      const body = await text(request)
      const end = (status: number, answer: string): void => {
        response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(answer)
      }
      try {
        authenticate(request, body)
        if (standIn.fault) standIn.failures += 1
        if (standIn.fault === 'hang') return
        if (standIn.fault) return end(standIn.fault.status, standIn.fault.body)
        end(200, JSON.stringify(sign(keys, JSON.parse(body) as Record<string, unknown>)))
      } catch (error) {
        end(400, JSON.stringify({ __type: error instanceof KmsError ? error.type : 'SerializationException' }))
      }
    })()
  })
  standIn.url = url
  return standIn
}

/** Signature Version 4 from AWS's side: made again from what arrived, and compared. */
function authenticate(request: IncomingMessage, body: string): void {
  const { headers } = request
  const given = /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
    headers.authorization ?? '',
  )
  const [, credential = '', names = '', signature = ''] = given ?? []
  if (!given) throw new KmsError('IncompleteSignatureException')
  const time = String(headers['x-amz-date'])
  const at = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!(Math.abs(Date.now() - at) < 300_000)) throw new KmsError('InvalidSignatureException')
  const scope = [time.slice(0, 8), KMS_ACCOUNT.region, 'kms', 'aws4_request']
  if (credential !== [KMS_ACCOUNT.accessKeyId, ...scope].join('/')) throw new KmsError('UnrecognizedClientException')
  if (headers['x-amz-security-token'] !== KMS_ACCOUNT.sessionToken) throw new KmsError('UnrecognizedClientException')
  const signedNames = names.split(';')
  const needed = ['host', ...Object.keys(headers).filter((name) => name.startsWith('x-amz-'))]
  if (names !== signedNames.toSorted().join(';') || !needed.every((name) => signedNames.includes(name))) {
    throw new KmsError('InvalidSignatureException')
  }
  const hash = (content: string): string => createHash('sha256').update(content).digest('hex')
  const headerLines = signedNames.map((name) => `${name}:${String(headers[name])}`)
  const canonical = [request.method, request.url, '', ...headerLines, '', names, hash(body)].join('\n')
  let key = Buffer.from(`AWS4${KMS_ACCOUNT.secretAccessKey}`)
  for (const part of scope) key = createHmac('sha256', key).update(part).digest()
  const toSign = ['AWS4-HMAC-SHA256', time, scope.join('/'), hash(canonical)].join('\n')
  const expected = createHmac('sha256', key).update(toSign).digest()
  if (!timingSafeEqual(expected, Buffer.from(signature, 'hex'))) throw new KmsError('InvalidSignatureException')
  if (headers['x-amz-target'] !== 'TrentService.Sign') throw new KmsError('UnknownOperationException')
  if (headers['content-type'] !== 'application/x-amz-json-1.1') throw new KmsError('SerializationException')
}

function sign(keys: Readonly<Record<string, KmsKey>>, asked: Record<string, unknown>): object {
  const { KeyId, Message, MessageType, SigningAlgorithm } = asked
  const key = keys[String(KeyId)]
  if (!key) throw new KmsError('NotFoundException')
  const message = Buffer.from(String(Message), 'base64')
  if (message.length === 0 || message.length > 4096) throw new KmsError('ValidationException')
  const answer = { KeyId: `arn:aws:kms:${KMS_ACCOUNT.region}:111122223333:key/${String(KeyId)}`, SigningAlgorithm }
  if (key.spec === 'ECC_NIST_EDWARDS25519') {
    if (SigningAlgorithm !== 'ED25519_SHA_512') throw new KmsError('InvalidKeyUsageException')
    if (MessageType !== 'RAW') throw new KmsError('ValidationException')
    return { ...answer, Signature: Buffer.from(ed25519.sign(message, key.secret)).toString('base64') }
  }
  if (SigningAlgorithm !== 'ECDSA_SHA_256') throw new KmsError('InvalidKeyUsageException')
  const isDigest = MessageType === 'DIGEST'
  if (isDigest && message.length !== 32) throw new KmsError('ValidationException')
  const digest = isDigest ? message : createHash('sha256').update(message).digest()
  const options = { prehash: false, lowS: false, extraEntropy: true, format: 'der' } as const
  return { ...answer, Signature: Buffer.from(secp256k1.sign(digest, key.secret, options)).toString('base64') }
}
