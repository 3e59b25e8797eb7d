import {
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionInstruction,
  VersionedTransaction,
} from '@solana/web3.js'
import bs58 from 'bs58'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../kernel/errors.js'
import { signWire } from '../../test/harness/solana-side.js'
import { compileWire, paymentKey, paymentMemo, transferInstructions } from './transfer.js'
import { verifySigned } from './verify-signed.js'

const payer = Keypair.generate()
const receiver = Keypair.generate().publicKey.toBase58()
const blockhash = Keypair.generate().publicKey.toBase58()

function build(amount = 5n, wallet = receiver): { serialized: string } {
  const instructions = transferInstructions(
    {
      from: payer.publicKey.toBase58(),
      asset: { kind: 'token', address: Keypair.generate().publicKey.toBase58(), decimals: 6 },
      shares: [{ wallet, amount }],
      memo: paymentMemo('c1'),
      reference: paymentKey('c1'),
    },
    { units: 50_000, microLamports: 1_000 },
  )
  const { bytes } = compileWire(instructions, payer.publicKey.toBase58(), blockhash)
  return { serialized: Buffer.from(bytes).toString('base64') }
}

const unsigned = build()

function problem(raw: string, built = unsigned): { code: string; details: string | undefined } {
  try {
    verifySigned(built, raw)
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, details: error.details }
    throw error
  }
  throw new Error('it was accepted')
}

const differs = (details: string) => ({ code: 'invalid_signed_transaction', details })
const unreadable = (details: string) => ({ code: 'invalid_parameters', details })

const lighthouse = new TransactionInstruction({
  programId: new PublicKey('L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95'),
  keys: [{ pubkey: payer.publicKey, isSigner: false, isWritable: false }],
  data: Buffer.from([7, 1, 2]),
})

describe("checking a payer's signed Solana transaction", () => {
  it('accepts what was built, and knows its signature before it is sent', () => {
    const raw = signWire(payer, unsigned.serialized)
    const transaction = Transaction.from(Buffer.from(raw, 'base64'))
    const { signature, raw: canonical } = verifySigned(unsigned, raw)
    expect(signature).toBe(bs58.encode(transaction.signature ?? new Uint8Array()))
    expect(canonical).toBe(raw)
  })

  it('accepts the instructions that wallets add: checks of the effects, and their own priority', () => {
    const raised = ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 50_000 })
    const added = signWire(payer, unsigned.serialized, ([limit, , ...rest]) => [
      ...(limit ? [limit] : []),
      raised,
      lighthouse,
      ...rest,
      lighthouse,
    ])
    expect(verifySigned(unsigned, added).raw).toBe(added)
    const without = signWire(payer, unsigned.serialized, (instructions) => instructions.slice(2))
    expect(verifySigned(unsigned, without).raw).toBe(without)
  })

  it.each<[string, (instructions: TransactionInstruction[]) => TransactionInstruction[]]>([
    [
      'an added transfer',
      (all) => [
        ...all,
        SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: payer.publicKey, lamports: 1 }),
      ],
    ],
    ['a missing memo', (all) => all.slice(0, -1)],
    ['another order', (all) => all.toReversed()],
    [
      'another amount',
      (all) => all.map((one) => (one.data[0] === 12 ? withData(one, [12, 4, 0, 0, 0, 0, 0, 0, 0, 6]) : one)),
    ],
    ['another receiver', (all) => all.map((one) => (one.data[0] === 12 ? withKey(one, 2) : one))],
    ['another reference', (all) => all.map((one) => (one.data[0] === 12 ? withKey(one, 4) : one))],
  ])('refuses %s', (_name, change) => {
    expect(problem(signWire(payer, unsigned.serialized, change))).toEqual(differs('it has other instructions'))
  })

  it('refuses an account that may be written to where it was only read', () => {
    const raw = signWire(payer, unsigned.serialized, (all) =>
      all.map((one) =>
        one.data[0] === 12
          ? new TransactionInstruction({
              ...one,
              keys: one.keys.map((key, index) => (index === 4 ? { ...key, isWritable: true } : key)),
            })
          : one,
      ),
    )
    expect(problem(raw)).toEqual(differs('it has other instructions'))
  })

  it('refuses an absurd priority fee', () => {
    const absurd = ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_000_000_000 })
    expect(
      problem(
        signWire(payer, unsigned.serialized, ([limit, , ...rest]) => [...(limit ? [limit] : []), absurd, ...rest]),
      ),
    ).toEqual(differs('its fee is absurd'))
  })

  it('refuses another fee payer or format, and tells another blockhash', () => {
    const thief = Keypair.generate()
    const other = Transaction.from(Buffer.from(unsigned.serialized, 'base64'))
    other.feePayer = thief.publicKey
    other.sign(thief, payer)
    expect(problem(other.serialize().toString('base64'))).toEqual(differs('it has other signers'))

    const later = Transaction.from(Buffer.from(unsigned.serialized, 'base64'))
    later.recentBlockhash = Keypair.generate().publicKey.toBase58()
    later.sign(payer)
    expect(verifySigned(unsigned, later.serialize().toString('base64')).hasOtherBlockhash).toBe(true)
    expect(verifySigned(unsigned, signWire(payer, unsigned.serialized)).hasOtherBlockhash).toBe(false)

    const bytes = Buffer.from(unsigned.serialized, 'base64')
    const versioned = VersionedTransaction.deserialize(
      Buffer.concat([bytes.subarray(0, 65), Buffer.from([0x80]), bytes.subarray(65), Buffer.from([0])]),
    )
    versioned.sign([payer])
    expect(problem(Buffer.from(versioned.serialize()).toString('base64'))).toEqual(differs('it has another format'))
  })

  it('refuses a signature that is missing, wrong, or another wallet’s', () => {
    expect(problem(unsigned.serialized)).toEqual(unreadable('it is not signed'))
    const bytes = Buffer.from(signWire(payer, unsigned.serialized), 'base64')
    bytes[10] = (bytes[10] ?? 0) ^ 1
    expect(problem(bytes.toString('base64'))).toEqual(differs('a signature is not right'))
    expect(problem(signWire(payer, build(6n).serialized))).toEqual(differs('it has other instructions'))
  })

  it('refuses the trivial signature that lenient checks accept under a key of small order', () => {
    // The identity point: R = identity, s = 0 fits every message by the cofactored equation.
    const identity = Buffer.alloc(32)
    identity[0] = 1
    const built = compileWire(
      [new TransactionInstruction({ programId: SystemProgram.programId, keys: [], data: Buffer.alloc(0) })],
      new PublicKey(identity).toBase58(),
      blockhash,
    )
    const forged = Buffer.concat([Buffer.from([1]), identity, Buffer.alloc(32), built.messageBytes]).toString('base64')
    const serialized = Buffer.from(built.bytes).toString('base64')
    expect(problem(forged, { serialized })).toEqual(differs('a signature is not right'))
  })

  it.each([
    ['', 'it is not base64'],
    ['not base64!', 'it is not base64'],
    [Buffer.alloc(1233).toString('base64'), 'it is too long'],
    [Buffer.alloc(2000).toString('base64'), 'it is too long'],
    [Buffer.from('hello').toString('base64'), 'it is not an encoded transaction'],
    [signWire(payer, unsigned.serialized).replace(/=*$/, '!'), 'it is not base64'],
    [`${signWire(payer, unsigned.serialized)}\n`, 'it is not base64'],
  ])('cannot read %j', (raw, details) => {
    expect(problem(raw)).toEqual(unreadable(details))
  })
})

function withData(instruction: TransactionInstruction, data: number[]): TransactionInstruction {
  return new TransactionInstruction({ ...instruction, data: Buffer.from(data) })
}

/** The instruction with another account in the place of one. */
function withKey(instruction: TransactionInstruction, position: number): TransactionInstruction {
  const pubkey = Keypair.generate().publicKey
  const keys = instruction.keys.map((key, index) => (index === position ? { ...key, pubkey } : key))
  return new TransactionInstruction({ ...instruction, keys })
}
