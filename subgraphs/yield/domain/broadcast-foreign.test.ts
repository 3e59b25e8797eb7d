import { ComputeBudgetProgram, Keypair, SystemProgram, Transaction, type TransactionInstruction } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { associatedTokenAddress } from '../../../chains/solana/token.js'
import { refusalOf, signedDeposit, signedOf, startYieldHarness, TENANT } from '../../../test/harness/yield.js'
import { KAMINO_LEND } from '../providers/beta/reserve.js'
import { broadcastYield } from './broadcast-yield.js'

const harness = await startYieldHarness()

const to = Keypair.generate().publicKey
const broadcast = (opSigned: readonly string[]) =>
  broadcastYield(harness.deps, TENANT, { chainName: 'solana', opSigned })
const refused = (opSigned: readonly string[]) => refusalOf(broadcast(opSigned))
const sends = () => harness.rpc.calls.filter(({ method }) => method === 'sendTransaction').length
const isLeg = ({ programId }: TransactionInstruction) => programId.equals(KAMINO_LEND)
const legOf = async (wallet: Keypair) => instructionsOf(await signedDeposit(harness, wallet)).filter(isLeg)

describe('a transaction that has a leg of ours', () => {
  it('is refused with anything else beside it, and nothing is sent', async () => {
    const wallet = await harness.newWallet()
    const leg = await legOf(wallet)
    const payment = SystemProgram.transfer({ fromPubkey: wallet.publicKey, toPubkey: to, lamports: 1 })
    harness.rpc.calls.length = 0
    expect(await refused([await signedOf(harness, wallet, [...leg, payment])])).toMatchObject({
      code: 'invalid_parameters',
    })
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
    expect(await refused([await signedOf(harness, wallet, [deposit])])).toMatchObject({ code: 'invalid_parameters' })
  })

  it('is refused with a fee that nobody means, and relayed with the fee that a wallet chose', async () => {
    const wallet = await harness.newWallet()
    const wire = await signedDeposit(harness, wallet)
    const own = instructionsOf(wire)
    const rest = own.filter(({ programId }) => !programId.equals(ComputeBudgetProgram.programId))
    const price = (microLamports: number) => ComputeBudgetProgram.setComputeUnitPrice({ microLamports })
    const absurd = await signedOf(harness, wallet, [price(200_000_000), ...rest])
    expect(await refused([absurd])).toMatchObject({ code: 'invalid_parameters' })
    const dear = await signedOf(harness, wallet, [price(2_000_000), ...rest])
    expect(await broadcast([dear])).toMatchObject({ transactionHashes: null })
  })
})

/** The instructions of a signed wire in the legacy format. */
function instructionsOf(wire: string): TransactionInstruction[] {
  return Transaction.from(Buffer.from(wire, 'base64')).instructions
}
