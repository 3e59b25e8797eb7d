import { Keypair, MessageV0, PublicKey, SystemProgram, Transaction, VersionedTransaction } from '@solana/web3.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isWritable, parseMessage, parseWire, WireError } from './wire.js'

const payer = Keypair.generate()
const other = Keypair.generate()
const blockhash = Keypair.generate().publicKey.toBase58()

function legacyWire(): Uint8Array {
  const transaction = new Transaction({ feePayer: payer.publicKey, blockhash, lastValidBlockHeight: 1 })
  transaction.add(
    SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: other.publicKey, lamports: 5 }),
    SystemProgram.transfer({ fromPubkey: other.publicKey, toPubkey: payer.publicKey, lamports: 7 }),
  )
  transaction.sign(payer, other)
  return transaction.serialize()
}

function versionedWire(): Uint8Array {
  const message = new MessageV0({
    header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 1 },
    staticAccountKeys: [payer.publicKey, SystemProgram.programId],
    recentBlockhash: blockhash,
    compiledInstructions: [{ programIdIndex: 1, accountKeyIndexes: [0, 2], data: Uint8Array.from([2, 0, 0, 0]) }],
    addressTableLookups: [{ accountKey: other.publicKey, writableIndexes: [3], readonlyIndexes: [] }],
  })
  const transaction = new VersionedTransaction(message)
  transaction.sign([payer])
  return transaction.serialize()
}

describe("reading a transaction's bytes", () => {
  it.each([
    ['legacy', legacyWire()],
    ['version 0', versionedWire()],
  ])('reads a %s transaction as web3.js does', (_name, bytes) => {
    const wire = parseWire(bytes)
    const { message, signatures } = VersionedTransaction.deserialize(bytes)
    expect(wire.signatures.map((signature) => [...signature])).toEqual(signatures.map((signature) => [...signature]))
    expect(Buffer.from(wire.messageBytes)).toEqual(Buffer.from(message.serialize()))
    expect(wire.message.version).toBe(message.version)
    expect(wire.message.keys.map((key) => new PublicKey(key).toBase58())).toEqual(
      message.staticAccountKeys.map((key) => key.toBase58()),
    )
    expect(wire.message.keys.map((_, index) => isWritable(wire.message, index))).toEqual(
      message.staticAccountKeys.map((_, index) => message.isAccountWritable(index)),
    )
    expect(new PublicKey(wire.message.blockhash).toBase58()).toBe(message.recentBlockhash)
    expect(
      wire.message.instructions.map(({ programIdIndex, accountIndexes, data }) => [
        programIdIndex,
        accountIndexes,
        [...data],
      ]),
    ).toEqual(
      message.compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => [
        programIdIndex,
        accountKeyIndexes,
        [...data],
      ]),
    )
    expect(parseMessage(wire.messageBytes)).toEqual(wire.message)
  })

  it('never takes two different byte strings for one transaction', () => {
    const bytes = legacyWire()
    // The same length in two bytes instead of one: lenient decoders read it, and give another signature's transaction.
    const padded = Uint8Array.from([0x82, 0x00, ...bytes.subarray(1)])
    expect(() => parseWire(padded)).toThrow(WireError)
    expect(() => parseWire(Uint8Array.from([...bytes, 0]))).toThrow(WireError)
    expect(() => parseWire(bytes.subarray(0, -1))).toThrow(WireError)
    expect(() => parseWire(new Uint8Array())).toThrow(WireError)
  })

  it('throws a WireError and nothing else on any bytes, and reads back only what web3.js writes the same', () => {
    const mutated = fc
      .tuple(
        fc.constantFrom(legacyWire(), versionedWire()),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 }),
        fc.nat(8),
      )
      .map(([bytes, changes, cut]) => {
        const copy = Uint8Array.from(bytes)
        for (const [position, value] of changes) copy[position % copy.length] = value
        return copy.subarray(0, copy.length - cut)
      })
    fc.assert(
      fc.property(fc.oneof(mutated, fc.uint8Array({ maxLength: 400 })), (bytes) => {
        try {
          parseWire(bytes)
        } catch (error) {
          expect(error).toBeInstanceOf(WireError)
          return
        }
        expect(Buffer.from(VersionedTransaction.deserialize(bytes).serialize())).toEqual(Buffer.from(bytes))
      }),
      { numRuns: 5_000 },
    )
  })
})
