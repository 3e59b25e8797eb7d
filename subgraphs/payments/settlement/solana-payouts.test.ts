import { Keypair } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { TOKEN_PROGRAM_ID } from '../../../chains/solana/token.js'
import { balanceOf } from '../../../test/harness/solana-side.js'
import { startSolanaHarness } from '../../../test/harness/solana.js'
import { checkoutPayment } from '../fixtures/payments.js'
import { chargedPayment, paidPayment, payAndProcess, presentOf, startPix } from '../fixtures/pix-payments.js'
import { balanceIn } from '../fixtures/books.js'
import { orderRefund } from '../fixtures/refunds.js'
import { runLedger } from '../fixtures/run-ledger.js'
import { chargesOf } from '../fixtures/rows.js'
import { toBaseUnits } from '../../../kernel/money.js'
import { holding, holdingAddress, SOLANA_TOKENS } from '../../../sandbox/solana/seed.js'
import { startPaymentsHarness } from '../../../test/harness/payments.js'
import { until } from '../../../test/harness/until.js'
import type { Payment } from '../store/payment.entity.js'

const solana = await startSolanaHarness()
/** What a deployment may change between a charge and its payout. */
const usdc = { ...SOLANA_TOKENS.USDC }
const chain = { ...solana.chain, tokens: { USDC: usdc } }
const harness = await startPaymentsHarness({ chain, treasurySolanaKey: solana.treasury.secretKey })

const newReceiver = (): string => Keypair.generate().publicKey.toBase58()
const settled = (payment: Payment) =>
  until('the payment succeeds', async () => {
    await harness.runJobs()
    return (await presentOf(harness, payment)).status === 'success'
  })

const toWallet = (receiverWallet: string, amountFrom: string) => ({
  splitPaymentConfig: [{ receiverWallet, receiverPercent: 100 }],
  toChain: 'solana',
  toCurrencySymbol: 'USDC',
  amountFrom,
})
const statesOf = async ({ tenantId, id }: Payment) =>
  (await harness.deps.payouts.findAll({ tenantId, id })).map(({ state }) => state)
const treasuryLamports = () => solana.client.connection.getBalance(solana.treasury.publicKey, 'confirmed')

describe('settlement on Solana', () => {
  it('opens no account for a receiver who gets less than it is worth, and charges nobody for it', async () => {
    const before = await treasuryLamports()
    const receiver = newReceiver()
    // 0.542 BRL are 0.100009 USDC.
    const payment = await checkoutPayment(harness, toWallet(receiver, '0.542'))
    await expect(startPix(harness, payment)).rejects.toMatchObject({
      code: 'validation_error',
      errors: [
        {
          field: 'paymentId',
          message: `its receiver ${receiver} has no token account for USDC yet; open one, or receive at least 0.5`,
        },
      ],
    })
    expect(await chargesOf(harness, payment)).toEqual([])
    expect(await treasuryLamports()).toBe(before)
    const opened = await chargedPayment(harness, toWallet(receiver, '5.42'))
    await payAndProcess(harness, opened.txid)
    await settled(opened.payment)
    const small = await chargedPayment(harness, toWallet(receiver, '0.542'))
    await payAndProcess(harness, small.txid)
    await settled(small.payment)
    expect(await balanceOf(solana, receiver)).toBe(1_100_101n)
  })

  it('charges nobody for a receiver that is no wallet, as nobody could spend what it gets, however much it is', async () => {
    const owner = newReceiver()
    const { mint } = SOLANA_TOKENS.USDC
    const tokenAccount = holdingAddress(owner, mint)
    await solana.control.setAccounts([holding(tokenAccount, { owner, mint, amount: 1n })])
    for (const receiver of [tokenAccount, TOKEN_PROGRAM_ID.toBase58()]) {
      const payment = await checkoutPayment(harness, toWallet(receiver, '542'))
      const message = `its receiver ${receiver} is a token account or a program, not a wallet`
      await expect(startPix(harness, payment)).rejects.toMatchObject({
        code: 'validation_error',
        errors: [{ field: 'paymentId', message }],
      })
      expect(await chargesOf(harness, payment)).toEqual([])
    }
  })

  it('pays nothing to an address that has become a token account since the charge, and an operator is told', async () => {
    const owner = newReceiver()
    const { mint } = SOLANA_TOKENS.USDC
    const tokenAccount = holdingAddress(owner, mint)
    const { payment, txid } = await chargedPayment(harness, toWallet(tokenAccount, '54.2'))
    await solana.control.setAccounts([holding(tokenAccount, { owner, mint, amount: 1n })])
    await payAndProcess(harness, txid)
    const toldOf = async () => (await harness.deps.alerts.list()).find(({ subject }) => subject === payment.id)
    await until('an operator is told', async () => {
      await solana.solana.advance(1)
      await harness.goOn(1)
      return (await toldOf()) !== undefined
    })
    expect(await toldOf()).toMatchObject({
      kind: 'payout_failed',
      details: expect.stringContaining('is a token account or a program, not a wallet') as string,
    })
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending' })
    expect(await balanceOf(solana, tokenAccount)).toBe(0n)
  })

  it('leaves a receiver as much as can be paid, where a reserve or a refund would leave less', async () => {
    await harness.deps.refunds.setReserve(harness.tenant.id, '10')
    const receiver = newReceiver()
    // 2.80 BRL are 0.516653 USDC, and a tenth less is not worth an account.
    const reserved = await chargedPayment(harness, toWallet(receiver, '2.8'))
    await payAndProcess(harness, reserved.txid)
    await settled(reserved.payment)
    expect(await balanceOf(solana, receiver)).toBe(500_047n)
    expect(await balanceIn(harness.deps, 'tenant:refunds', 'BRL')).toBe('-0.09')
    await harness.deps.refunds.setReserve(harness.tenant.id, '0')
    expect(await runLedger(harness, 'pause', '--chain', 'solana', '--reason', 'a refund is ordered first')).toBe(0)
    const { payment, txid } = await chargedPayment(harness, toWallet(newReceiver(), '2.8'))
    await payAndProcess(harness, txid)
    const tooMuch = orderRefund(harness, payment, { amount: '0.5' })
    await expect(tooMuch).rejects.toMatchObject({ code: 'insufficient_refund_balance' })
    await orderRefund(harness, payment, { amount: '0.05' })
    expect(await runLedger(harness, 'resume', '--chain', 'solana')).toBe(0)
    await settled(payment)
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('holds what was on its way when its token was taken off the chain’s list, and goes on with the rest', async () => {
    const { payment, txid } = await chargedPayment(harness, toWallet(newReceiver(), '54.2'))
    const tokens = chain.tokens as Partial<typeof chain.tokens>
    const [port] = harness.deps.payoutChains.solana ?? []
    if (!port) throw new Error('there is no treasury')
    const send: typeof port.send = async (...args) => {
      if ((await statesOf(payment)).includes('sending')) delete tokens.USDC
      return port.send(...args)
    }
    harness.deps.payoutChains.solana = [{ ...port, send }]
    await payAndProcess(harness, txid)
    await until('the payout is held', async () => {
      await solana.solana.advance(1)
      expect((await harness.goOn(1)).errors).toEqual([])
      return (await statesOf(payment)).includes('held')
    })
    tokens.USDC = usdc
    harness.deps.payoutChains.solana = [port]
  })

  it('does not open one either for a receiver whose account is gone by the time of the payout', async () => {
    Object.assign(usdc, { minPayoutToNewAccount: '0' })
    const { payment, txid } = await chargedPayment(harness, toWallet(newReceiver(), '0.542'))
    Object.assign(usdc, { minPayoutToNewAccount: '0.5' })
    const before = await treasuryLamports()
    await payAndProcess(harness, txid)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending' })
    expect(await treasuryLamports()).toBe(before)
    expect((await harness.deps.alerts.list()).map(({ kind, subject }) => [kind, subject])).toContainEqual([
      'payout_failed',
      payment.id,
    ])
    // It is tried again after twice as long each time.
    const putOff = async () => {
      const [payout] = await harness.deps.payouts.findAll(payment)
      return Math.round(((payout?.notBefore.getTime() ?? 0) - harness.clock.now().getTime()) / 60_000)
    }
    expect(await putOff()).toBe(1)
    for (const minutes of [2, 4]) {
      await harness.goOn((minutes / 2) * 60 + 1)
      expect(await putOff()).toBe(minutes)
    }
    expect(await treasuryLamports()).toBe(before)
  })

  it('waits while a compute unit costs more than the deployment pays, of which an operator is told', async () => {
    Object.assign(chain, { computePriceMaxMicroLamports: 999 })
    const { payment } = await paidPayment(harness, toWallet(newReceiver(), '54.2'))
    // The nonce may be of the chain's newest block, and cannot be used before the next.
    await until('an operator is told', async () => {
      await solana.solana.advance(1)
      await harness.goOn(1)
      return (await harness.deps.alerts.list()).some(({ kind }) => kind === 'payout_stuck')
    })
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending' })
    expect(await harness.deps.alerts.list()).toContainEqual(
      expect.objectContaining({
        subject: 'solana',
        details: 'a compute unit on solana costs 1000 micro-lamports, above its cap',
      }),
    )
    Object.assign(chain, { computePriceMaxMicroLamports: 1_000 })
    await harness.advance(6)
    await settled(payment)
  })

  it('pays each receiver once, also one that is named twice', async () => {
    const [first, second] = [newReceiver(), newReceiver()]
    const splitPaymentConfig = [
      { receiverWallet: first, receiverPercent: 40 },
      { receiverWallet: second, receiverPercent: 20 },
      { receiverWallet: first, receiverPercent: 40 },
    ]
    const { payment, txid } = await chargedPayment(harness, {
      splitPaymentConfig,
      toChain: 'solana',
      toCurrencySymbol: 'USDC',
      amountFrom: '54.195',
    })
    await payAndProcess(harness, txid)
    await settled(payment)
    const present = await presentOf(harness, payment)
    expect(present).toMatchObject({
      tidHash: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/) as string,
      globalPaymentData: { crypto_payment_details: { chain_name: 'solana', receiver_wallet: first } },
    })
    const total = Math.round(Number(present.amountTo) * 1e6)
    const held = [await balanceOf(solana, first), await balanceOf(solana, second)]
    expect(held.reduce((sum, units) => sum + Number(units), 0)).toBe(total)
    const legs = await harness.deps.payouts.findAll(payment)
    expect(legs.map(({ state }) => state)).toEqual(['confirmed', 'confirmed', 'confirmed'])
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('pays more receivers at once where their accounts are there', async () => {
    const receivers = Array.from({ length: 12 }, () => newReceiver())
    const splitPaymentConfig = receivers.map((receiverWallet, index) => {
      return { receiverWallet, receiverPercent: index === 0 ? 12 : 8 }
    })
    const pay = async () => {
      const terms = { splitPaymentConfig, toChain: 'solana', toCurrencySymbol: 'USDC', amountFrom: '542' }
      const { payment } = await paidPayment(harness, terms)
      await settled(payment)
      return harness.deps.payouts.findAll(payment)
    }
    const [first, second] = [await pay(), await pay()]
    expect([first, second].map((paid) => new Set(paid.map(({ hash }) => hash)).size)).toEqual([2, 1])
    const owed = receivers.map((receiver) =>
      [...first, ...second].reduce(
        (sum, one) => sum + (one.receiver === receiver ? toBaseUnits(one.amount, 6) : 0n),
        0n,
      ),
    )
    expect(await Promise.all(receivers.map((receiver) => balanceOf(solana, receiver)))).toEqual(owed)
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })
})
