import { Transaction } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { holding, holdingAddress, SOLANA_TOKENS } from '../../sandbox/solana/seed.js'
import type { Answer } from '../harness/http.js'
import { startHarness } from '../harness/harness.js'
import { createSolana, solanaTerms, type SolanaTx } from '../harness/rest-solana.js'
import { balanceOf, freshAddress, fund } from '../harness/solana-side.js'
import { splitTo } from '../harness/rest-payments.js'

const harness = await startHarness()
const payer = await fund(harness.solana, {
  lamports: 1_000_000_000_000n,
  more: { [SOLANA_TOKENS.USDT.mint]: 1_000_000_000n },
})

const create = (id: string, token: string): Promise<Answer> =>
  createSolana(harness.tenant, id, payer.publicKey.toBase58(), { payer_token_symbol: token })

/** Builds, signs beside whoever has signed already, and hands in. */
async function pay(id: string, token: string): Promise<{ answer: Answer; built: SolanaTx }> {
  const created = await create(id, token)
  if (created.status !== 201) throw new Error(`create transaction answered ${created.text}`)
  const built = created.body.data?.['crypto_tx'] as SolanaTx
  const transaction = Transaction.from(Buffer.from(built.serialized, 'base64'))
  transaction.partialSign(payer)
  const raw = transaction.serialize().toString('base64')
  return { answer: await harness.tenant.execute({ id, raw }), built }
}

describe('a wallet on Solana', { timeout: 60_000 }, () => {
  it.each(['USDT', 'SOL'])(
    'pays a receiver of USDC with %s: he gets what is due, in one transaction',
    async (token) => {
      const receiver = freshAddress()
      const id = await harness.tenant.register(solanaTerms([receiver]))
      const before = await balanceOf(harness.solana, payer.publicKey.toBase58(), SOLANA_TOKENS.USDT.mint)
      const { answer, built } = await pay(id, token)
      expect(built.meta).toEqual({ source: 'router' })
      expect([answer.status, answer.body.status]).toEqual([200, 'payment_confirmed'])
      expect(await harness.tenant.statusOf(id)).toMatchObject({
        status: 'success',
        payer_token_symbol: token,
      })
      expect(await balanceOf(harness.solana, receiver)).toBe(18_451_887n)
      const paid = before - (await balanceOf(harness.solana, payer.publicKey.toBase58(), SOLANA_TOKENS.USDT.mint))
      // 18.451887 USDC, and the router's quarter of a percent on top.
      expect(paid).toBe(token === 'USDT' ? 18_496_283n : 0n)
    },
  )

  it('pays receivers on another chain: the bridge brings it to the split, and each has his share', async () => {
    const receivers = [harness.chain.newReceiver(), harness.chain.newReceiver()]
    const id = await harness.tenant.register(splitTo(receivers, [70, 30]))
    const { answer } = await pay(id, 'USDC')
    expect(answer.body.status).toBe('payment_received')
    const paid = await harness.tenant.untilStatus(id, 'success')
    expect(paid).toMatchObject({ tid_hash: answer.body.data?.['tid_hash'], to_chain: 'polygon' })
    expect(await Promise.all(receivers.map((receiver) => harness.chain.balanceOf('USDT', receiver)))).toEqual([
      12_915_130n,
      5_535_055n,
    ])
  })

  it('cannot pay several receivers there with another token: no router pays two', async () => {
    const id = await harness.tenant.register(solanaTerms([freshAddress(), freshAddress()], [50, 50]))
    expect(await create(id, 'USDT')).toMatchObject({
      status: 400,
      body: { status: 'validation_error', errors: [{ field: 'payer_token_symbol' }] },
    })
  })

  it.each(['USDT', 'USDC'])('pays no token account by %s: nobody could spend what it would own', async (token) => {
    const owner = freshAddress()
    const { mint } = SOLANA_TOKENS.USDC
    const tokenAccount = holdingAddress(owner, mint)
    await harness.solana.control.setAccounts([holding(tokenAccount, { owner, mint, amount: 1n })])
    const id = await harness.tenant.register(solanaTerms([tokenAccount]))
    const message = 'has a receiver that is a token account or a program, not a wallet'
    expect(await create(id, token)).toMatchObject({
      status: 400,
      body: { status: 'validation_error', errors: [{ field: 'payment_id', message }] },
    })
  })

  it('is told where it has too little for a route, before anything is signed', async () => {
    const poor = await fund(harness.solana, { usdc: 0n })
    const id = await harness.tenant.register(splitTo([harness.chain.newReceiver()]))
    const answer = await createSolana(harness.tenant, id, poor.publicKey.toBase58())
    expect(answer).toMatchObject({
      status: 400,
      body: { status: 'validation_error', errors: [{ field: 'payer_wallet' }] },
    })
    expect(await harness.tenant.statusOf(id)).toMatchObject({ status: 'registered' })
  })
})
