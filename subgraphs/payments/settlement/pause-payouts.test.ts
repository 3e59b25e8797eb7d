import { describe, expect, it } from 'vitest'
import { startSettlementHarness } from '../../../test/harness/settlement.js'
import { ledgerCli } from '../cli/ledger-cli.js'
import { chargedPayment, payAndProcess, presentOf, untilEnded } from '../fixtures/pix-payments.js'

const harness = await startSettlementHarness()

async function ledger(...args: string[]): Promise<{ code: number; answer: unknown }> {
  const lines: string[] = []
  const output = { out: (line: string) => void lines.push(line), err: (line: string) => void lines.push(line) }
  const code = await ledgerCli(args, output, { databaseUrl: harness.databaseUrl, dataDir: 'nowhere' })
  return { code, answer: code === 0 ? JSON.parse(lines.join('\n')) : lines.join('\n') }
}

async function charged() {
  const splitPaymentConfig = [{ receiverWallet: harness.newReceiver(), receiverPercent: 100 }]
  const { payment, txid } = await chargedPayment(harness, { splitPaymentConfig })
  await payAndProcess(harness, txid)
  return payment
}

describe('payouts that an operator has paused', () => {
  it.each([[['--chain', 'polygon']], [['--tenant', 'tenant']], [['--chain', 'polygon', '--tenant', 'tenant']], [[]]])(
    'wait, %j, while charges are taken as ever, and leave once they are resumed',
    async (scope) => {
      expect(await ledger('pause', ...scope, '--reason', 'the price looks wrong')).toMatchObject({
        code: 0,
        answer: { paused: [{ reason: 'the price looks wrong' }] },
      })
      const payment = await charged()
      expect(await untilEnded(harness, payment)).toMatchObject({ status: 'pending' })
      expect((await harness.deps.payouts.findAll(payment)).map(({ state }) => state)).toEqual(['waiting'])
      expect(await ledger('resume', ...scope)).toMatchObject({ code: 0, answer: { resumed: true, paused: [] } })
      expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
    },
  )

  it('are only those that were named', async () => {
    await ledger('pause', '--chain', 'another', '--reason', 'its nodes disagree')
    await ledger('pause', '--tenant', 'another', '--reason', 'asked for by the bank')
    expect(await presentOf(harness, await charged())).toMatchObject({ status: 'success' })
    expect(await ledger('resume', '--chain', 'polygon')).toMatchObject({ code: 0, answer: { resumed: false } })
  })

  it('need a reason, and are told with what is on its way', async () => {
    expect(await ledger('pause', '--chain', 'polygon')).toMatchObject({
      code: 2,
      answer: expect.stringContaining('--reason is needed') as string,
    })
    await harness.anvil.setAutomine(false)
    const payment = await charged()
    expect(await ledger('transactions')).toMatchObject({
      answer: [{ chain: 'polygon', state: 'sent', payments: [payment.id] }],
    })
    await harness.anvil.mine({ blocks: 1 })
    await harness.anvil.setAutomine(true)
    expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
    expect(await ledger('transactions')).toEqual({ code: 0, answer: [] })
  })
})
