import { describe, expect, it } from 'vitest'
import { runDueJobs } from '../../../test/harness/job-runner.js'
import { startSettlementHarness } from '../../../test/harness/settlement.js'
import { ledger } from '../fixtures/run-ledger.js'
import { chargedPayment, paidPayment, payCharge, presentOf, untilEnded } from '../fixtures/pix-payments.js'
import { paymentJobs } from '../jobs.js'

const harness = await startSettlementHarness()

async function run(...args: string[]): Promise<{ code: number; answer: unknown }> {
  const { code, text } = await ledger(harness, ...args)
  return { code, answer: code === 0 ? JSON.parse(text) : text }
}

const split = () => ({ splitPaymentConfig: [{ receiverWallet: harness.newReceiver(), receiverPercent: 100 }] })

async function charged() {
  const { payment } = await paidPayment(harness, split())
  return payment
}

/** Runs jobs of a worker whose payouts an operator pauses once they are signed, before anything of them is written down. */
async function runPausedWhenSigned(scope: { chainName?: string; tenantId?: string }): Promise<void> {
  const [evm] = harness.deps.payoutChains.evm ?? []
  if (!evm) throw new Error('there is no treasury')
  const prepare: typeof evm.prepare = async (chain, wanted) => {
    const preparation = await evm.prepare(chain, wanted)
    await harness.deps.pauses.pause(scope, 'the price looks wrong')
    return preparation
  }
  await runDueJobs(harness.db.pool, paymentJobs({ ...harness.deps, payoutChains: { evm: [{ ...evm, prepare }] } }))
}

describe('payouts that an operator has paused', () => {
  it.each([[['--chain', 'polygon']], [['--tenant', 'tenant']], [['--chain', 'polygon', '--tenant', 'tenant']], [[]]])(
    'wait, %j, while charges are taken as ever, and leave once they are resumed',
    async (scope) => {
      expect(await run('pause', ...scope, '--reason', 'the price looks wrong')).toMatchObject({
        code: 0,
        answer: { paused: [{ reason: 'the price looks wrong' }] },
      })
      const payment = await charged()
      expect(await untilEnded(harness, payment)).toMatchObject({ status: 'pending' })
      expect((await harness.deps.payouts.findAll(payment)).map(({ state }) => state)).toEqual(['waiting'])
      expect(await run('resume', ...scope)).toMatchObject({ code: 0, answer: { resumed: true, paused: [] } })
      expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
    },
  )

  it.each([
    [['--chain', 'polygon'], { chainName: 'polygon' }],
    [['--tenant', 'tenant'], { tenantId: 'tenant' }],
  ])('wait, %j, also where a round has signed them already and written nothing down', async (scope, paused) => {
    const before = await harness.transactionCount()
    const { payment, txid } = await chargedPayment(harness, split())
    await payCharge(harness, txid)
    await runPausedWhenSigned(paused)
    expect(await untilEnded(harness, payment)).toMatchObject({ status: 'pending' })
    expect((await harness.deps.payouts.findAll(payment)).map(({ state, attempt }) => [state, attempt])).toEqual([
      ['waiting', 0],
    ])
    expect(await harness.transactionCount()).toBe(before)
    expect(await run('resume', ...scope)).toMatchObject({ code: 0, answer: { resumed: true, paused: [] } })
    expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
    expect(await harness.transactionCount()).toBe(before + 1)
  })

  it('are only those that were named', async () => {
    await harness.deps.pauses.pause({ chainName: 'another' }, 'its nodes disagree')
    await run('pause', '--tenant', 'another', '--reason', 'asked for by the bank')
    expect(await presentOf(harness, await charged())).toMatchObject({ status: 'success' })
    expect(await run('resume', '--chain', 'polygon')).toMatchObject({ code: 0, answer: { resumed: false } })
  })

  it('need a reason, and are told with what is on its way', async () => {
    expect(await run('pause', '--chain', 'polygon')).toMatchObject({
      code: 2,
      answer: expect.stringContaining('--reason is needed') as string,
    })
    await harness.anvil.setAutomine(false)
    const payment = await charged()
    expect(await run('transactions')).toMatchObject({
      answer: [{ chain: 'polygon', state: 'sent', payments: [payment.id] }],
    })
    await harness.anvil.mine({ blocks: 1 })
    await harness.anvil.setAutomine(true)
    expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
    expect(await run('transactions')).toEqual({ code: 0, answer: [] })
  })
})
