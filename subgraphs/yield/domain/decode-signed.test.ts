import { randomBytes } from 'node:crypto'
import { Keypair, PublicKey, Transaction } from '@solana/web3.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../../kernel/errors.js'
import { earnAddresses } from '../providers/alpha-lend/addresses.js'
import { earnDeposit } from '../providers/alpha-lend/instructions.js'
import { PROVIDERS } from '../providers/registry.js'
import { decodeSigned } from './decode-signed.js'
import { describeTransaction } from './describe-transaction.js'

const wallet = Keypair.generate()
const mint = new PublicKey('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')
const good = signedWire()

function signedWire(): Buffer {
  const transaction = new Transaction({
    feePayer: wallet.publicKey,
    blockhash: mint.toBase58(),
    lastValidBlockHeight: 0,
  })
  transaction.add(earnDeposit(earnAddresses(mint), wallet.publicKey, 5n))
  transaction.sign(wallet)
  return transaction.serialize()
}

/** What reading a wire came to: `read`, or the code that it was refused with. Anything else is a crash. */
function outcomeOf(read: () => unknown): string {
  try {
    read()
    return 'read'
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
}

/** The good wire with some of its bytes changed, cut, doubled or replaced by noise. */
const malformed = fc
  .record({
    flips: fc.array(fc.tuple(fc.nat({ max: good.length - 1 }), fc.integer({ min: 1, max: 255 })), {
      minLength: 1,
      maxLength: 4,
    }),
    cut: fc.option(fc.nat({ max: good.length - 1 })),
    tail: fc.option(fc.uint8Array({ minLength: 1, maxLength: 40 })),
  })
  .map(({ flips, cut, tail }) => {
    const wire = Buffer.from(good)
    for (const [at, bits] of flips) wire[at] = (wire[at] ?? 0) ^ bits
    const parts = [cut === null ? wire : wire.subarray(0, cut), ...(tail ? [Buffer.from(tail)] : [])]
    return Buffer.concat(parts).toString('base64')
  })

describe('reading a signed transaction', () => {
  it('takes a good one', () => {
    expect(decodeSigned(good.toString('base64')).programs).toEqual(new Set([PROVIDERS[0]?.programs[0]?.toBase58()]))
  })

  it('refuses 100 000 malformed ones and crashes on none', { timeout: 120_000 }, () => {
    let refused = 0
    const expectRefusal = (text: string): void => {
      expect(outcomeOf(() => decodeSigned(text))).toBe('signed_transaction_missing')
      refused += 1
    }
    // The signature's first bytes are changed in all but a few, which spares the time of checking 100 000 signatures.
    for (let count = 0; count < 98_000; count += 1) expectRefusal(mangled(count).toString('base64'))
    fc.assert(
      fc.property(malformed, (text) => {
        const same = text === good.toString('base64')
        if (!same) expectRefusal(text)
      }),
      { numRuns: 2_000 },
    )
    expect(refused).toBeGreaterThanOrEqual(99_990)
  })

  it('tells what any bytes would do, or that they are no transaction, and crashes on none', () => {
    const settings = { providers: PROVIDERS, markets: [] }
    fc.assert(
      fc.property(malformed, (text) => {
        expect(['read', 'invalid_parameters']).toContain(outcomeOf(() => describeTransaction(settings, text)))
      }),
      { numRuns: 3_000 },
    )
  })
})

/** The wire with a broken structure: lengths, indexes and headers are where readers go wrong. */
function mangled(count: number): Buffer {
  const kind = count % 7
  if (kind === 0) return randomBytes(1 + (count % 1232))
  if (kind === 1) return good.subarray(0, count % good.length)
  if (kind === 2) return Buffer.concat([good, randomBytes(1 + (count % 60))])
  const wire = Buffer.from(good)
  // The first byte counts signatures; from 65 on come the header, the number of keys and, behind the keys, instructions.
  const at = kind === 3 ? 0 : kind === 4 ? 65 + (count % 4) : wire.length - 1 - (count % 60)
  const [noise = 1] = randomBytes(1)
  wire[at] = (wire[at] ?? 0) ^ (noise || 1)
  if (kind >= 5) wire[65 + (count % 3)] = 0xff
  return wire
}
