import { randomBytes } from 'node:crypto'
import { Keypair, PublicKey } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { isOnCurve, programAddress } from './on-curve.js'

const PRIME = 2n ** 255n - 19n

/** A number as a key is written: 32 bytes, the lowest first. */
const bytesOf = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse()

describe('whether a key is on the curve', () => {
  it('is told as web3.js tells it: of keys, and of bytes by chance, half of which are', () => {
    const texts = Array.from({ length: 2_000 }, () => randomBytes(32))
    const told = texts.map((bytes) => isOnCurve(bytes))
    expect(told).toEqual(texts.map((bytes) => PublicKey.isOnCurve(bytes)))
    expect(told.filter((isOn) => isOn).length).toBeGreaterThan(800)
    expect(told.filter((isOn) => isOn).length).toBeLessThan(1_200)
    for (let count = 0; count < 50; count += 1) expect(isOnCurve(Keypair.generate().publicKey.toBytes())).toBe(true)
  })

  it('is told as web3.js tells it at the ends of the field, with either sign', () => {
    for (const y of [0n, 1n, 2n, PRIME - 2n, PRIME - 1n, PRIME, PRIME + 1n, 2n ** 255n - 1n, 2n ** 64n, 2n ** 200n])
      for (const sign of [0n, 2n ** 255n])
        expect([y, sign, isOnCurve(bytesOf(y + sign))]).toEqual([y, sign, PublicKey.isOnCurve(bytesOf(y + sign))])
  })

  it('is no for what is no key', () => {
    for (const length of [0, 31, 33, 64]) expect(isOnCurve(randomBytes(length))).toBe(false)
  })
})

describe('the address of a program', () => {
  it('is the one that web3.js derives, whatever the seeds are', () => {
    for (let count = 0; count < 200; count += 1) {
      const program = Keypair.generate().publicKey
      const seeds = Array.from({ length: count % 4 }, (_, index) => randomBytes(8 * index + 1))
      expect(programAddress(seeds, program).toBase58()).toBe(
        PublicKey.findProgramAddressSync(seeds, program)[0].toBase58(),
      )
    }
  })

  it('is none of a seed that no chain takes', () => {
    const program = Keypair.generate().publicKey
    expect(() => programAddress([randomBytes(33)], program)).toThrow('a seed is too long')
    expect(() => PublicKey.findProgramAddressSync([randomBytes(33)], program)).toThrow()
  })
})
