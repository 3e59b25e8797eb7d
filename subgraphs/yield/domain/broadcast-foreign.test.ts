import { ComputeBudgetProgram, Keypair, SystemProgram, Transaction, type TransactionInstruction } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { associatedTokenAddress } from '../../../chains/solana/token.js'
import { refusalOf, startYieldHarness } from '../../../test/harness/yield.js'
import { KAMINO_LEND } from '../providers/beta/reserve.js'
import { broadcastsOf } from '../fixtures/broadcasts.js'
import { knownMarkets } from './open-markets.js'

const harness = await startYieldHarness()
const { broadcast, refused, sends, signedDeposit, compile } = broadcastsOf(harness)

const to = Keypair.generate().publicKey
const isLeg = ({ programId }: TransactionInstruction) => programId.equals(KAMINO_LEND)
const legOf = async (wallet: Keypair) => instructionsOf(await signedDeposit(wallet)).filter(isLeg)

describe('a transaction that has a leg of ours', () => {
  it('is refused with anything else beside it, and nothing is sent', async () => {
    const wallet = await harness.newWallet()
    const leg = await legOf(wallet)
    const payment = SystemProgram.transfer({ fromPubkey: wallet.publicKey, toPubkey: to, lamports: 1 })
    harness.rpc.calls.length = 0
    expect(await refused([await compile(wallet, [...leg, payment])])).toMatchObject({ code: 'invalid_parameters' })
    expect(sends()).toBe(0)
  })

  it('is refused where the leg pays into an account of another owner', async () => {
    const wallet = await harness.newWallet()
    const [deposit] = await legOf(wallet)
    if (!deposit) throw new Error('no deposit')
    const { shareMint } = harness.marketOf('beta', 'USDC').addresses
    deposit.keys = deposit.keys.map((key, index) =>
      index === 8 ? { ...key, pubkey: associatedTokenAddress(to, shareMint) } : key,
    )
    expect(await refused([await compile(wallet, [deposit])])).toMatchObject({ code: 'invalid_parameters' })
  })

  it('is refused with a fee that nobody means, and relayed with the fee that a wallet chose', async () => {
    const wallet = await harness.newWallet()
    const wire = await signedDeposit(wallet)
    const own = instructionsOf(wire)
    const rest = own.filter(({ programId }) => !programId.equals(ComputeBudgetProgram.programId))
    const price = (microLamports: number) => ComputeBudgetProgram.setComputeUnitPrice({ microLamports })
    const absurd = await compile(wallet, [price(200_000_000), ...rest])
    expect(await refused([absurd])).toMatchObject({ code: 'invalid_parameters' })
    const dear = await compile(wallet, [price(2_000_000), ...rest])
    expect(await broadcast([dear])).toMatchObject({ transactionHashes: null })
  })
})

it('a broadcast is answered in time, as unsent, though a node keeps the markets waiting that show whose it is, and is not sent after that', async () => {
  const wire = await signedDeposit(await harness.newWallet())
  const broadcastTiming = { ...harness.deps.broadcastTiming, waitMs: 200, answerMs: 300 }
  const hurried = await harness.anotherProcess({ rpcTimeoutMs: 240_000, broadcastTiming })
  const { promise: isAnswered, resolve } = Promise.withResolvers<'pass'>()
  harness.rpc.onCall = ({ method }) => (method === 'getMultipleAccounts' ? isAnswered : 'pass')
  harness.rpc.calls.length = 0
  expect(await refusalOf(broadcast([wire], hurried))).toEqual({
    code: 'broadcast_rpc_unavailable',
    details: expect.stringContaining('nothing was sent'),
  })
  resolve('pass')
  harness.rpc.onCall = () => 'pass'
  await knownMarkets(hurried)
  expect(sends()).toBe(0)
  expect(await broadcast([wire])).toMatchObject({ transactionHashes: null })
}, 20_000)

/** The instructions of a signed wire in the legacy format. */
function instructionsOf(wire: string): TransactionInstruction[] {
  return Transaction.from(Buffer.from(wire, 'base64')).instructions
}
