import {
  AccountLayout,
  createAssociatedTokenAccountIdempotentInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
  MintLayout,
} from '@solana/spl-token'
import { Keypair, PublicKey } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import {
  associatedTokenAddress,
  createAssociatedTokenAccountIdempotent,
  decodeMint,
  decodeTokenAccount,
  transferChecked,
} from './token.js'

const key = (): PublicKey => Keypair.generate().publicKey

describe('token instructions, against the library of the token program', () => {
  it('derives the same token accounts, also for owners that are programs', () => {
    const [programOwned] = PublicKey.findProgramAddressSync([Buffer.from('vault')], key())
    for (const owner of [key(), programOwned]) {
      const mint = key()
      expect(associatedTokenAddress(owner, mint)).toEqual(getAssociatedTokenAddressSync(mint, owner, true))
    }
  })

  it('creates token accounts and moves tokens by the same bytes and accounts', () => {
    const [payer, owner, mint, source, destination] = [key(), key(), key(), key(), key()]
    const account = getAssociatedTokenAddressSync(mint, owner)
    expect(createAssociatedTokenAccountIdempotent({ payer, owner, mint })).toEqual(
      createAssociatedTokenAccountIdempotentInstruction(payer, account, owner, mint),
    )
    const amount = 18_446_744_073_709_551_615n
    expect(transferChecked({ source, mint, destination, owner, amount, decimals: 6 })).toEqual(
      createTransferCheckedInstruction(source, mint, destination, owner, amount, 6),
    )
  })

  it('reads token accounts and mints', () => {
    const [mint, owner, none] = [key(), key(), PublicKey.default]
    const account = Buffer.alloc(AccountLayout.span)
    const state = { mint, owner, amount: 12_345_678_901n, delegateOption: 0, delegate: none, state: 2 } as const
    const rest = {
      isNativeOption: 0,
      isNative: 0n,
      delegatedAmount: 0n,
      closeAuthorityOption: 0,
      closeAuthority: none,
    } as const
    AccountLayout.encode({ ...state, ...rest }, account)
    expect(decodeTokenAccount(account)).toEqual({
      mint: mint.toBase58(),
      owner: owner.toBase58(),
      amount: 12_345_678_901n,
      state: 'frozen',
      closeAuthority: null,
    })
    AccountLayout.encode({ ...state, ...rest, closeAuthorityOption: 1, closeAuthority: owner }, account)
    expect(decodeTokenAccount(account)).toMatchObject({ closeAuthority: owner.toBase58() })
    expect(decodeTokenAccount(account.subarray(1))).toBeUndefined()

    const bytes = Buffer.alloc(MintLayout.span)
    const supply = {
      mintAuthorityOption: 1,
      mintAuthority: owner,
      supply: 77n,
      decimals: 6,
      isInitialized: true,
    } as const
    MintLayout.encode({ ...supply, freezeAuthorityOption: 0, freezeAuthority: none }, bytes)
    expect(decodeMint(bytes)).toEqual({ supply: 77n, decimals: 6 })
    expect(decodeMint(account)).toBeUndefined()
  })
})
