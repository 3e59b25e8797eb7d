import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'

/** What differs from what a true browser and authenticator write. */
interface Lies {
  origin?: string
  challenge?: string
  relyingPartyId?: string
  isVerified?: boolean
  /** The count of signatures that is claimed. */
  counter?: number
  /** The attestation that is claimed; `none` where left out. */
  format?: string
  /** Whose passkey it says it is, base64url; null for not saying it. */
  userHandle?: string | null
}

interface CreationOptions {
  challenge: string
  rp: { id: string }
  user: { id: string }
}

interface RequestOptions {
  challenge: string
  rpId: string
}

/** A passkey in software: it makes and signs what authenticators do, and lies where a test wants it. */
export interface Authenticator {
  id: string
  /** Whose it is, base64url; empty before it was made. */
  userHandle: () => string
  /** `RegistrationResponseJSON` for the options. */
  create: (options: unknown, lies?: Lies) => object
  /** `AuthenticationResponseJSON` for the options; counts up. */
  sign: (options: unknown, lies?: Lies) => object
}

/** @param origin of the page that it thinks it is at */
export function authenticator(origin: string): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const credentialId = randomBytes(32)
  const id = credentialId.toString('base64url')
  const of = { id, rawId: id, type: 'public-key', clientExtensionResults: {} }
  let userHandle = ''
  let counter = 0
  return {
    id,
    userHandle: () => userHandle,
    create: (given, lies = {}) => {
      const options = given as CreationOptions
      userHandle = options.user.id
      const { relyingPartyId = options.rp.id, format = 'none' } = lies
      const idLength = Buffer.alloc(2)
      idLength.writeUInt16BE(credentialId.length)
      const attested = [Buffer.alloc(16), idLength, credentialId, coseKey(publicKey)]
      const data = Buffer.concat([authenticatorData(relyingPartyId, 0, lies, 0x40), ...attested])
      const attestation = cborMap([
        ['fmt', cborText(format)],
        ['attStmt', format === 'none' ? cborMap([]) : cborMap([['x5c', cborHead(4, 0)]])],
        ['authData', cborBytes(data)],
      ])
      return {
        ...of,
        response: {
          clientDataJSON: clientData('webauthn.create', origin, options.challenge, lies).toString('base64url'),
          attestationObject: attestation.toString('base64url'),
          transports: ['internal', 'telepathy'],
        },
      }
    },
    sign: (given, lies = {}) => {
      const options = given as RequestOptions
      counter += 1
      const data = authenticatorData(lies.relyingPartyId ?? options.rpId, counter, lies)
      const client = clientData('webauthn.get', origin, options.challenge, lies)
      const hash = createHash('sha256').update(client).digest()
      const handle = lies.userHandle === undefined ? userHandle : lies.userHandle
      return {
        ...of,
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: sign('sha256', Buffer.concat([data, hash]), privateKey).toString('base64url'),
          ...(handle !== null && { userHandle: handle }),
        },
      }
    },
  }
}

function clientData(type: string, origin: string, challenge: string, lies: Lies): Buffer {
  const said = { type, challenge: lies.challenge ?? challenge, origin: lies.origin ?? origin, crossOrigin: false }
  return Buffer.from(JSON.stringify(said))
}

/** WebAuthn Level 3, 6.1: hash of the relying party's id, flags (present 1, verified 4), count. */
function authenticatorData(relyingPartyId: string, counter: number, lies: Lies, flags = 0): Buffer {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(lies.counter ?? counter)
  const present = flags | 0x01 | (lies.isVerified === false ? 0 : 0x04)
  return Buffer.concat([createHash('sha256').update(relyingPartyId).digest(), Buffer.from([present]), count])
}

/** An ES256 key as RFC 9053, 7.1.1: kty 2, alg -7, crv 1, x, y. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const point = (text: string): Buffer => cborBytes(Buffer.from(text, 'base64url'))
  const head = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01])
  return Buffer.concat([head, Buffer.from([0x21]), point(x), Buffer.from([0x22]), point(y)])
}

/** RFC 8949, 3: a major type with its length. */
function cborHead(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length])
  return length < 256
    ? Buffer.from([(major << 5) | 24, length])
    : Buffer.from([(major << 5) | 25, length >> 8, length & 0xff])
}

const cborBytes = (bytes: Buffer): Buffer => Buffer.concat([cborHead(2, bytes.length), bytes])
const cborText = (text: string): Buffer => Buffer.concat([cborHead(3, text.length), Buffer.from(text)])
const cborMap = (entries: readonly [string, Buffer][]): Buffer =>
  Buffer.concat([cborHead(5, entries.length), ...entries.flatMap(([name, value]) => [cborText(name), value])])
