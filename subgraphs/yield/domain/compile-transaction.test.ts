import {
  AddressLookupTableAccount,
  Keypair,
  PublicKey,
  SystemProgram,
  VersionedTransaction,
  type TransactionInstruction,
} from '@solana/web3.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { earnAddresses } from '../providers/alpha-lend/addresses.js'
import { earnDeposit, earnWithdraw } from '../providers/alpha-lend/instructions.js'
import { compileTransaction, withBudget, type Envelope } from './compile-transaction.js'

const wallet = Keypair.generate().publicKey
const blockhash = Keypair.generate().publicKey.toBase58()
const mints = Array.from({ length: 3 }, () => Keypair.generate().publicKey)
const legs = mints.flatMap((mint): TransactionInstruction[] => [
  earnDeposit(earnAddresses(mint), wallet, 5n),
  earnWithdraw(earnAddresses(mint), wallet, 4n),
])
const table = new AddressLookupTableAccount({
  key: Keypair.generate().publicKey,
  state: {
    deactivationSlot: 2n ** 64n - 1n,
    lastExtendedSlot: 0,
    lastExtendedSlotStartIndex: 0,
    addresses: [...new Set(legs.flatMap(({ keys }) => keys.map(({ pubkey }) => pubkey.toBase58())))].map(
      (address) => new PublicKey(address),
    ),
  },
})

describe('another budget', () => {
  it.each([
    ['legacy', legs.slice(0, 2), { wallet, blockhash, lookupTable: undefined }],
    [0, legs, { wallet, blockhash, lookupTable: table }],
  ] satisfies [string | number, TransactionInstruction[], Envelope][])(
    'makes of a transaction of version %s what compiling it with that budget does',
    (version, instructions, envelope) => {
      const draft = compileTransaction(instructions, { units: 1_400_000, microLamports: 0 }, envelope)
      if (!draft) throw new Error('too large')
      expect(VersionedTransaction.deserialize(draft).version).toBe(version)
      fc.assert(
        fc.property(fc.nat(0xffff_ffff), fc.nat(1_000_000_000), (units, microLamports) => {
          const anew = compileTransaction(instructions, { units, microLamports }, envelope)
          expect(Buffer.from(withBudget(draft, { units, microLamports }))).toEqual(anew && Buffer.from(anew))
        }),
        { numRuns: 30 },
      )
    },
  )

  it('is given to no transaction that does not begin with one', () => {
    const transfer = SystemProgram.transfer({ fromPubkey: wallet, toPubkey: wallet, lamports: 1 })
    const whole = compileTransaction([transfer], { units: 1, microLamports: 1 }, { wallet, blockhash, lookupTable: undefined }) // prettier-ignore
    const bytes = Buffer.from(whole ?? [])
    const limit = bytes.indexOf(Buffer.from([5, 2, 1, 0, 0, 0]))
    bytes.writeUInt8(1, limit + 1)
    expect(() => withBudget(bytes, { units: 2, microLamports: 2 })).toThrow('no budget comes first')
  })
})
