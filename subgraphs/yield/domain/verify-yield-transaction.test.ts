import { type Keypair, PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import {
  associatedTokenAddress,
  createAssociatedTokenAccountIdempotent,
  TOKEN_PROGRAM_ID,
} from '../../../chains/solana/token.js'
import { holding } from '../../../sandbox/solana/seed.js'
import { startYieldHarness } from '../../../test/harness/yield.js'
import type { MarketState } from '../providers/provider.js'
import { compileTransaction } from './compile-transaction.js'
import { unwrapSol, wrapSol } from './token-holding.js'
import { verifyYieldTransaction, type VerifiedTransaction } from './verify-yield-transaction.js'

const harness = await startYieldHarness()

const PROVIDERS = ['alpha_lend', 'beta'] as const
const SHARES = { kind: 'all', shares: 5n } as const
const thief = PublicKey.unique()
const usdc = harness.marketOf('beta', 'USDC').asset.mint
const wrapped = harness.marketOf('beta', 'SOL').asset.mint

async function stateOf(provider: string, symbol = 'USDC'): Promise<MarketState> {
  const market = harness.marketOf(provider, symbol)
  const { accounts, time } = await harness.deps.chain.readAccounts(market.accounts)
  return market.read(accounts, time)
}
const withdrawal = async (wallet: Keypair, provider = 'beta', symbol = 'USDC') =>
  (await stateOf(provider, symbol)).withdrawLeg(wallet.publicKey, SHARES)
const accountOf = (wallet: Keypair, mint: PublicKey) => associatedTokenAddress(wallet.publicKey, mint)
const creation = ({ publicKey: wallet }: Keypair, mint: PublicKey) =>
  createAssociatedTokenAccountIdempotent({ payer: wallet, owner: wallet, mint })
const solOf = (wallet: Keypair) => ({
  wallet: wallet.publicKey,
  mint: wrapped,
  address: accountOf(wallet, wrapped),
  exists: true,
  isOursToClose: true,
  amount: 0n,
})
const ownedBy = (owner: PublicKey, wallet: Keypair, mint: PublicKey) =>
  holding(accountOf(wallet, mint).toBase58(), { owner: owner.toBase58(), mint: mint.toBase58(), amount: 5n })
/** SetAuthority of who owns the account. */
const givenAway = (wallet: Keypair, mint: PublicKey) =>
  new TransactionInstruction({
    programId: TOKEN_PROGRAM_ID,
    keys: [
      { pubkey: accountOf(wallet, mint), isSigner: false, isWritable: true },
      { pubkey: wallet.publicKey, isSigner: true, isWritable: false },
    ],
    data: Buffer.concat([Buffer.from([6, 2, 1]), thief.toBuffer()]),
  })

/** What a wallet is told of a transaction, and of the instruction of the kind that it is about. */
async function verified(wallet: Keypair, instructions: readonly TransactionInstruction[], kind = 'withdraw') {
  const envelope = { wallet: wallet.publicKey, blockhash: PublicKey.default.toBase58(), lookupTable: undefined }
  const wire = compileTransaction(instructions, { units: 200_000, microLamports: 1_000 }, envelope)
  if (!wire) throw new Error('too large')
  const answer: VerifiedTransaction = await verifyYieldTransaction(harness.deps, Buffer.from(wire).toString('base64'))
  const told = answer.instructions.find((instruction) => instruction.kind === kind && instruction.receiver !== null)
  if (!told) throw new Error(`no ${kind}`)
  return { ...answer, told }
}

/** A transaction that is not ours, as its receiver is not surely the wallet's: that is said, and who owns it as far as that is known. */
function expectRefused({ told, isBuiltByThisService, warnings }: Awaited<ReturnType<typeof verified>>, owner: unknown) {
  expect([isBuiltByThisService, told.isAsBuilt, told.receiverOwner]).toEqual([false, false, owner])
  expect(warnings.join(' ')).toContain(owner === null ? 'no open account' : `an account of ${String(owner)}`)
}

describe('the account that receives', () => {
  it.each(PROVIDERS)('is named as of the wallet, be it there or made by the transaction, with %s', async (provider) => {
    const wallet = await harness.newWallet()
    const { shareMint } = harness.marketOf(provider, 'USDC').addresses
    const deposit = (await stateOf(provider)).depositLeg(wallet.publicKey, 5n)
    for (const answer of [
      await verified(wallet, await withdrawal(wallet, provider)),
      await verified(wallet, [creation(wallet, shareMint), ...deposit], 'deposit'),
    ]) {
      expect(answer).toMatchObject({ isBuiltByThisService: true, warnings: [] })
      expect(answer.told).toMatchObject({ isAsBuilt: true, receiverOwner: wallet.publicKey.toBase58() })
    }
  })

  it.each(PROVIDERS)(
    'is refused where the wallet has given it away: %s pays into it all the same',
    async (provider) => {
      const wallet = await harness.newWallet()
      const { shareMint } = harness.marketOf(provider, 'USDC').addresses
      await harness.control.setAccounts([ownedBy(thief, wallet, usdc), ownedBy(thief, wallet, shareMint)])
      expectRefused(await verified(wallet, await withdrawal(wallet, provider)), thief.toBase58())
      const deposit = (await stateOf(provider)).depositLeg(wallet.publicKey, 5n)
      for (const instructions of [deposit, [creation(wallet, shareMint), ...deposit]]) {
        expectRefused(await verified(wallet, instructions, 'deposit'), thief.toBase58())
      }
    },
  )

  it("is named also where it is another wallet's own", async () => {
    const [wallet, other] = await Promise.all([harness.newWallet(), harness.newWallet()])
    const instructions = (await withdrawal(wallet)).map((instruction) => {
      const own = accountOf(wallet, usdc)
      instruction.keys = instruction.keys.map((key) =>
        key.pubkey.equals(own) ? { ...key, pubkey: accountOf(other, usdc) } : key,
      )
      return instruction
    })
    expectRefused(await verified(wallet, instructions), other.publicKey.toBase58())
  })

  it('has no owner that is known where it is closed, frozen or of another program', async () => {
    const wallet = await harness.newWallet()
    const own = ownedBy(wallet.publicKey, wallet, usdc)
    const frozen = Buffer.from(own.data)
    frozen[108] = 2
    const closed = { ...own, owner: SystemProgram.programId.toBase58(), data: Buffer.alloc(0) }
    for (const account of [closed, { ...own, data: frozen }, { ...own, owner: thief.toBase58() }]) {
      await harness.control.setAccounts([account])
      expectRefused(await verified(wallet, await withdrawal(wallet)), null)
    }
    await harness.control.setAccounts([closed])
    const reopened = await verified(wallet, [creation(wallet, usdc), ...(await withdrawal(wallet))])
    expect(reopened).toMatchObject({ isBuiltByThisService: true, warnings: [] })
  })

  it('has none either where the transaction gives it away, before it pays or after', async () => {
    const wallet = await harness.newWallet()
    const [pays, gives] = [await withdrawal(wallet), givenAway(wallet, usdc)]
    const orders = [
      [gives, ...pays],
      [...pays, gives],
    ]
    for (const instructions of orders) {
      const answer = await verified(wallet, instructions)
      expect([answer.isBuiltByThisService, answer.told.receiverOwner]).toEqual([false, null])
    }
  })
})

describe("the wallet's account of wrapped SOL", () => {
  it('may be made, paid into and closed by one transaction, and not closed before it is paid into', async () => {
    const wallet = await harness.newWallet()
    const [pays, closes] = [await withdrawal(wallet, 'beta', 'SOL'), unwrapSol(solOf(wallet))]
    const whole = await verified(wallet, [creation(wallet, wrapped), ...pays, closes])
    expect(whole).toMatchObject({ isBuiltByThisService: true, warnings: [] })
    expect(whole.instructions.at(-1)).toMatchObject({
      kind: 'unwrap_sol',
      receiverOwner: wallet.publicKey.toBase58(),
    })
    expectRefused(await verified(wallet, [creation(wallet, wrapped), closes, ...pays]), null)
  })

  it('is not paid SOL beside a move where it was given away', async () => {
    const wallet = await harness.newWallet()
    await harness.control.setAccounts([ownedBy(thief, wallet, wrapped)])
    const instructions = [...wrapSol(solOf(wallet), 1_000n), ...(await withdrawal(wallet))]
    expectRefused(await verified(wallet, instructions, 'wrap_sol'), thief.toBase58())
  })
})

it('where the chain cannot be asked whose the accounts are, nothing is said of the transaction', async () => {
  const wallet = await harness.newWallet()
  const instructions = await withdrawal(wallet)
  harness.rpc.onCall = () => 'cut'
  try {
    await expect(verified(wallet, instructions)).rejects.toMatchObject({ code: 'provider_unavailable' })
  } finally {
    harness.rpc.onCall = () => 'pass'
  }
})
