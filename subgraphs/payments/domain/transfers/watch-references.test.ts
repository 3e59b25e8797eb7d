import { describe, expect, it } from 'vitest'
import { inTransaction } from '../../../../kernel/database.js'
import { startSolanaSettlementHarness } from '../../../../test/harness/settlement.js'
import { balanceOf } from '../../../../test/harness/solana-side.js'
import { until } from '../../../../test/harness/until.js'
import { crashingDeps, plansAt, runMortal } from '../../fixtures/crashing-deps.js'
import { signSolanaPayment, solanaCheckout, solanaInput } from '../../fixtures/crypto-payments.js'
import { checkoutPayment } from '../../fixtures/payments.js'
import { presentOf } from '../../fixtures/pix-payments.js'
import type { Payment } from '../../store/payment.entity.js'
import { createTransaction } from '../create-transaction.js'
import { startWatchingReferences } from './watch-references.js'

const harness = await startSolanaSettlementHarness()
const { solana } = harness

/** A payment whose wallet has sent its transaction, which nobody has handed in. */
async function sentByWallet(): Promise<{ payment: Payment; receiver: string }> {
  const { id, receiver } = await solanaCheckout(harness)
  const input = solanaInput(id, solana.payer.publicKey.toBase58())
  const payment = await createTransaction(harness.deps, harness.tenant, input)
  await solana.client.call('sendTransaction', [signSolanaPayment(solana.payer, payment), { encoding: 'base64' }])
  await until('it has landed', async () => (await balanceOf(solana, receiver)) > 0n)
  return { payment, receiver }
}

describe('what a wallet has sent and nobody has handed in', () => {
  it.each(plansAt('references.watched', 'references.see', 'addJobNow'))(
    'is found and taken once, though a process dies $side $atStep',
    async (plan) => {
      const { payment, receiver } = await sentByWallet()
      const mortal = crashingDeps(harness.deps, plan)
      await until(`the death at ${plan.atStep}`, async () => {
        await startWatchingReferences(harness.deps)
        await runMortal(harness, mortal.deps)
        return mortal.steps.includes(plan.atStep)
      })
      await until('the payment is paid', async () => {
        // Every minute the job is started again, whatever became of the last one.
        await startWatchingReferences(harness.deps)
        await harness.pass(1)
        return (await presentOf(harness, payment)).status === 'success'
      })
      const rows = await harness.query('select seen from payments.watched_reference where payment_id = $1', [
        payment.id,
      ])
      expect(rows[0]?.['seen']).toHaveLength(1)
      const taken = await harness.query('select hash from payments.relay where payment_id = $1', [payment.id])
      expect(taken).toHaveLength(1)
      expect(await balanceOf(solana, receiver)).toBe(10_000_923n)
      expect(await harness.deps.alerts.list()).toEqual([])
      expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
    },
  )
})

it('the references of a tenant with few are looked for each time, and those of one with many in turn', async () => {
  const { db, deps, tenant } = harness
  const now = deps.clock.now().getTime()
  const watched: string[] = []
  const watch = async (tenantId: string, lifeMs: number) => {
    const { id: paymentId } = await checkoutPayment({ ...harness, tenant: { ...tenant, id: tenantId } })
    const reference = { tenantId, paymentId, chainName: 'elsewhere', reference: paymentId }
    await inTransaction(db, (em) => deps.references.watch(em, reference, new Date(now + lifeMs)))
    watched.push(paymentId)
    return paymentId
  }
  const few = await watch('ctenantwithfew0000000000', 60_000)
  for (let index = 0; index < 6; index += 1) await watch('ctenantwithmany000000000', 120_000)
  const seen = new Set<string>()
  for (let moment = 0; moment < 100; moment += 1) {
    const found = await deps.references.watched('elsewhere', new Date(now + moment), 3)
    expect(found).toHaveLength(3)
    expect(found.map(({ paymentId }) => paymentId)).toContain(few)
    for (const { paymentId } of found) seen.add(paymentId)
  }
  expect([...seen].toSorted()).toEqual(watched.toSorted())
})
