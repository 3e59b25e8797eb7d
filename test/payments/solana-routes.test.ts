import { Transaction } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { SOLANA_TOKENS } from '../../sandbox/solana/seed.js'
import type { Answer } from '../harness/http.js'
import { startHarness } from '../harness/harness.js'
import { execute, register, statusOf, untilStatus } from '../harness/rest-payments.js'
import { createSolana, solanaTerms, type SolanaTx } from '../harness/rest-solana.js'
import { balanceOf, freshAddress, fund } from '../harness/solana-side.js'

const harness = await startHarness()
const payer = await fund(harness.solana, {
  lamports: 1_000_000_000_000n,
  more: { [SOLANA_TOKENS.USDT.mint]: 1_000_000_000n },
})

const create = (id: string, token: string): Promise<Answer> =>
  createSolana(harness, harness.tenant, id, payer.publicKey.toBase58(), { payer_token_symbol: token })

/** Builds, signs beside whoever has signed already, and hands in. */
async function pay(id: string, token: string): Promise<{ answer: Answer; built: SolanaTx }> {
  const created = await create(id, token)
  if (created.status !== 201) throw new Error(`create transaction answered ${created.text}`)
  const built = created.body.data?.['crypto_tx'] as SolanaTx
  const transaction = Transaction.from(Buffer.from(built.serialized, 'base64'))
  transaction.partialSign(payer)
  const raw = transaction.serialize().toString('base64')
  return { answer: await execute(harness, harness.tenant, { id, raw }), built }
}

describe('a wallet on Solana', { timeout: 60_000 }, () => {
  it.each(['USDT', 'SOL'])(
    'pays a receiver of USDC with %s: he gets what is due, in one transaction',
    async (token) => {
      const receiver = freshAddress()
      const id = await register(harness, harness.tenant, solanaTerms([receiver]))
      const before = await balanceOf(harness.solana, payer.publicKey.toBase58(), SOLANA_TOKENS.USDT.mint)
      const { answer, built } = await pay(id, token)
      expect(built.meta).toEqual({ source: 'router' })
      expect([answer.status, answer.body.status]).toEqual([200, 'payment_confirmed'])
      expect(await statusOf(harness, harness.tenant, id)).toMatchObject({
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
    const split = [70, 30].map((percent, index) => ({ receiver_wallet: receivers[index], receiver_percent: percent }))
    const id = await register(harness, harness.tenant, { split_payment_config: split })
    const { answer } = await pay(id, 'USDC')
    expect(answer.body.status).toBe('payment_received')
    const paid = await untilStatus(harness, harness.tenant, id, 'success')
    expect(paid).toMatchObject({ tid_hash: answer.body.data?.['tid_hash'], to_chain: 'polygon' })
    expect(await Promise.all(receivers.map((receiver) => harness.chain.balanceOf('USDT', receiver)))).toEqual([
      12_915_130n,
      5_535_055n,
    ])
  })

  it('cannot pay several receivers there with another token: no router pays two', async () => {
    const id = await register(harness, harness.tenant, solanaTerms([freshAddress(), freshAddress()], [50, 50]))
    expect(await create(id, 'USDT')).toMatchObject({
      status: 400,
      body: { status: 'validation_error', errors: [{ field: 'payer_token_symbol' }] },
    })
  })

  it('is told where it has too little for a route, before anything is signed', async () => {
    const poor = await fund(harness.solana, { usdc: 0n })
    const id = await register(harness, harness.tenant, {
      split_payment_config: [{ receiver_wallet: harness.chain.newReceiver(), receiver_percent: 100 }],
    })
    const answer = await createSolana(harness, harness.tenant, id, poor.publicKey.toBase58())
    expect(answer).toMatchObject({
      status: 400,
      body: { status: 'validation_error', errors: [{ field: 'payer_wallet' }] },
    })
    expect(await statusOf(harness, harness.tenant, id)).toMatchObject({ status: 'registered' })
  })
})
