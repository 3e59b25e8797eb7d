import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'

const keyObjects = new WeakMap<Buffer, KeyObject>()

/**
 * HMAC-SHA256 of a text (RFC 2104), base64url. Node 24 looks into a key that comes as bytes at every call, which takes five
 * times as long as the signature itself; so the bytes become a key object once.
 */
export function hmacSha256(text: string, key: Buffer): string {
  let keyObject = keyObjects.get(key)
  if (!keyObject) {
    keyObject = createSecretKey(key)
    keyObjects.set(key, keyObject)
  }
  return createHmac('sha256', keyObject).update(text).digest('base64url')
}
