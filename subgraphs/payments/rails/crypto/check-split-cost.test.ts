import { describe, expect, it } from 'vitest'
import type { EvmChain } from '../../../../chains/chain.js'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { checkoutPayment } from '../../fixtures/payments.js'
import type { Payment } from '../../store/payment.entity.js'
import { checkSplitCost } from './check-split-cost.js'
import { destinationOf } from './destination.js'

const idle = await startPaymentsHarness()
const [plain] = idle.deps.settings.chains
const chain = {
  ...plain,
  split: { kind: 'forwarder', deployer: '0x4e59b44847b379578588920cA78FbF26c0B4956C' },
} as EvmChain

const among = (count: number) =>
  checkoutPayment(idle, {
    splitPaymentConfig: Array.from({ length: count }, (_, index) => ({
      receiverWallet: `0x${String(index + 1).padStart(40, '0')}`,
      receiverPercent: 100 / count,
    })),
  })

/** As create-transaction asks. The tenant may have six receivers a day. @param cost of sharing out, in millionths of USDT */
function check(payment: Payment, amountTo: string, perDay = 6, cost?: bigint): Promise<void> {
  const destination = destinationOf({ settings: { chains: [chain] } }, { ...payment, splitVersion: 2 }, 'polygon')
  const budget = { splitReceiversPerDay: perDay, sharingCost: () => Promise.resolve(cost) }
  return checkSplitCost({ ...idle.deps, ...budget }, payment, destination, amountTo)
}

const begin = ({ id }: Payment) =>
  idle.query(`update payments.payment set status = 'pending', split_version = 2 where id = $1`, [id])

describe('a split that a wallet pays', () => {
  it('has a minimum for each receiver, which one receiver alone has not', async () => {
    await expect(check(await among(2), '0.019999')).rejects.toMatchObject({
      code: 'validation_error',
      errors: [{ field: 'paymentId', message: 'pays a receiver 0.009999 USDT, the least is 0.01' }],
    })
    await check(await among(2), '0.02')
    await check(await among(1), '0.000001')
  })

  it('gives each receiver its part of what sharing out costs us, where that is more than the least that is set', async () => {
    const payment = await among(4)
    const message = 'pays a receiver 0.025 USDT, the least is 0.025001 at what gas costs now'
    await expect(check(payment, '0.1', 6, 100_001n)).rejects.toMatchObject({
      code: 'validation_error',
      errors: [{ field: 'paymentId', message }],
    })
    await check(payment, '0.100004', 6, 100_001n)
    await check(payment, '0.04', 6, 40_000n)
    const bySetting = { errors: [{ message: 'pays a receiver 0.0099 USDT, the least is 0.01' }] }
    await expect(check(payment, '0.0396', 6, 39_000n)).rejects.toMatchObject(bySetting)
  })

  it('has only the least that is set for the rest of what has come in part, which is shared out whatever gas costs', async () => {
    await check({ ...(await among(2)), receivedAmount: '0.01' }, '0.02', 6, 1_000_000n)
  })

  it('is within its tenant’s receivers of 24 hours, counted once for each payment, and not with others’', async () => {
    const first = await among(4)
    await check(first, '100')
    await begin(first)
    await check(first, '100')
    await check(await among(2), '100')
    const third = await among(4)
    await expect(check(third, '100')).rejects.toMatchObject({
      code: 'validation_error',
      errors: [{ field: 'paymentId', message: expect.stringContaining('6 at most') as string }],
    })
    await check(third, '100', 0)
    await check({ ...third, tenantId: 'another' }, '100')
    await idle.advance(24 * 3_600 + 1)
    await check(third, '100')
  })
})
