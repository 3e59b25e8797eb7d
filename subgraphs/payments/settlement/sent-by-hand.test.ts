import { encodeFunctionData, erc20Abi, parseUnits, type Address } from 'viem'
import { afterEach, expect, it } from 'vitest'
import { act } from '../../../test/harness/evm.js'
import { wholePool } from '../../../test/harness/evm-node-pool.js'
import { startSettlementHarness } from '../../../test/harness/settlement.js'
import { chargedPayment, payAndProcess } from '../fixtures/pix-payments.js'

const harness = await startSettlementHarness()
afterEach(() => Object.assign(harness.pool, wholePool()))

const charged = (toCurrencySymbol: string) => {
  const splitPaymentConfig = [{ receiverWallet: harness.newReceiver(), receiverPercent: 100 }]
  return chargedPayment(harness, { splitPaymentConfig, toCurrencySymbol })
}

it('holds a payout in coins where coins were sent by hand, though tokens were sent by hand just before', async () => {
  const coins = await charged('POL')
  const tokens = await charged('USDT')
  await harness.emptyTreasury()
  // What was sent is looked at; there is nothing left to pay these tokens with.
  await payAndProcess(harness, tokens.txid)
  expect(await harness.deps.payouts.findAll(tokens.payment)).toMatchObject([{ state: 'waiting', waitsFor: 'funds' }])
  await act(harness, { from: harness.treasury, to: harness.newReceiver(), value: 1n, data: '0x' })
  await payAndProcess(harness, coins.txid)
  expect(await harness.deps.payouts.findAll(coins.payment)).toMatchObject([{ state: 'held' }])
  expect((await harness.deps.alerts.list()).map(({ kind, subject }) => [kind, subject])).toContainEqual([
    'payout_held',
    coins.payment.id,
  ])
})

it('holds what was paid by hand in a transaction of a kind that is not read here, as smart accounts make them, and pays all others', async () => {
  await harness.fundTreasury('1000')
  const [byHand, other] = [await charged('USDT'), await charged('USDT')]
  const { receiverWallet } = byHand.payment.splitPaymentConfig[0] ?? {}
  const to = receiverWallet as Address
  const amount = parseUnits('18.450185', 6)
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
  const token = harness.chain.tokens['USDT']?.address ?? '0x'
  const { transactionHash } = await act(harness, { from: harness.treasury, to: token, data })
  harness.pool.change = (method, result) =>
    method === 'eth_getTransactionByHash' && (result as { hash?: string } | null)?.hash === transactionHash
      ? { ...(result as object), type: '0x4', authorizationList: [] }
      : result
  await payAndProcess(harness, byHand.txid)
  expect(await harness.deps.payouts.findAll(byHand.payment)).toMatchObject([{ state: 'held', holdReason: 'unproven' }])
  await payAndProcess(harness, other.txid)
  expect(await harness.deps.payouts.findAll(other.payment)).toMatchObject([{ state: 'confirmed' }])
  expect(await harness.balanceOf(to)).toBe(amount)
})
