import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

/**
 * Keys for secrets at rest, by id. New secrets are sealed with the current one; the others stay as long as something is
 * sealed with them, which is how a key is rotated.
 */
export interface KeyRing {
  currentId: string
  keys: ReadonlyMap<string, Buffer>
}

const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16

/**
 * The key ring that follows from the deployment's master keys: HKDF-SHA256 (RFC 5869), so that one master key serves
 * several purposes and a leak of one derived key tells nothing of the others.
 * @param masterKeys 32 bytes each, the current one first
 * @param purpose what is sealed, e.g. `webhook-secrets`
 * @throws Error where there is no key, or one is not of 32 bytes
 */
export function keyRing(masterKeys: readonly Buffer[], purpose: string): KeyRing {
  const entries = masterKeys.map((masterKey): [string, Buffer] => {
    if (masterKey.length !== KEY_BYTES) throw new Error(`a master key has ${KEY_BYTES} bytes`)
    const key = Buffer.from(hkdfSync('sha256', masterKey, '', purpose, KEY_BYTES))
    // The id is the same wherever the same master key is used; 32 bits of a hash tell nothing of the key.
    return [createHash('sha256').update(key).digest('hex').slice(0, 8), key]
  })
  const [current] = entries
  if (!current) throw new Error('there is no master key')
  return { currentId: current[0], keys: new Map(entries) }
}

/**
 * Seals a secret with AES-256-GCM.
 * @param context says what the secret is and whose, e.g. `webhook-secret:<id>`: it is authenticated, so a sealed secret
 *   that was moved to another row does not open there
 * @returns `v1.<key id>.<base64url of nonce, ciphertext and tag>`
 */
export function encrypt(ring: KeyRing, plaintext: string, context: string): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', keyOf(ring, ring.currentId), iv)
  cipher.setAAD(Buffer.from(context))
  const sealed = Buffer.concat([iv, cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `v1.${ring.currentId}.${sealed.toString('base64url')}`
}

/** Opens what `encrypt` sealed. Throws when it was changed, belongs to another context or its key is not in the ring. */
export function decrypt(ring: KeyRing, sealed: string, context: string): string {
  const [version, keyId = '', encoded = ''] = sealed.split('.')
  const bytes = Buffer.from(encoded, 'base64url')
  if (version !== 'v1' || bytes.length < IV_BYTES + TAG_BYTES) throw new Error('not a sealed secret')
  const decipher = createDecipheriv('aes-256-gcm', keyOf(ring, keyId), bytes.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(Buffer.from(context))
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  return decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
}

/** Whether what `encrypt` sealed was sealed with the current key. */
export function isSealedWithCurrent({ currentId }: KeyRing, sealed: string): boolean {
  return sealed.split('.')[1] === currentId
}

function keyOf(ring: KeyRing, id: string): Buffer {
  const key = ring.keys.get(id)
  if (!key) throw new Error(`the encryption key ${id} is not in the key ring`)
  return key
}
