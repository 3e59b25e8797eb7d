import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decrypt, encrypt, keyRing } from './encryption.js'

const oldKey = randomBytes(32)
const newKey = randomBytes(32)
const ring = keyRing([oldKey], 'test')

describe('secrets at rest', () => {
  it('open again, whatever they are, and look different each time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (secret, context) => {
        const sealed = encrypt(ring, secret, context)
        expect(decrypt(ring, sealed, context)).toBe(secret)
        expect(encrypt(ring, secret, context)).not.toBe(sealed)
      }),
    )
  })

  it('do not open in another context', () => {
    expect(() => decrypt(ring, encrypt(ring, 'secret', 'tenant a'), 'tenant b')).toThrow()
  })

  it('do not open when any byte was changed', () => {
    const sealed = encrypt(ring, 'secret', 'context')
    const bytes = Buffer.from(sealed.split('.')[2] ?? '', 'base64url')
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = Buffer.from(bytes)
      changed.writeUInt8(changed.readUInt8(index) ^ 1, index)
      expect(() => decrypt(ring, `v1.${ring.currentId}.${changed.toString('base64url')}`, 'context')).toThrow()
    }
    for (const wrong of ['', `v1.${ring.currentId}.`, sealed.replace('v1', 'v2'), 'secret'])
      expect(() => decrypt(ring, wrong, 'context')).toThrow()
  })

  it('stay readable after a rotation as long as their key is kept', () => {
    const sealed = encrypt(ring, 'secret', 'context')
    const rotated = keyRing([newKey, oldKey], 'test')
    expect(decrypt(rotated, sealed, 'context')).toBe('secret')
    expect(encrypt(rotated, 'secret', 'context').split('.')[1]).not.toBe(ring.currentId)
    expect(() => decrypt(keyRing([newKey], 'test'), sealed, 'context')).toThrow('is not in the key ring')
  })

  it('do not open with a key derived for another purpose', () => {
    expect(() => decrypt(keyRing([oldKey], 'other'), encrypt(ring, 'secret', 'context'), 'context')).toThrow()
  })

  it('open in another process that was given the same master key', () => {
    const other = keyRing([Buffer.from(oldKey)], 'test')
    expect(decrypt(other, encrypt(ring, 'secret', 'context'), 'context')).toBe('secret')
  })

  it('need master keys of 32 bytes', () => {
    expect(() => keyRing([], 'test')).toThrow('no master key')
    expect(() => keyRing([randomBytes(31)], 'test')).toThrow('32 bytes')
  })
})
