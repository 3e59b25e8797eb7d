import { encodeFunctionData, parseUnits, type Hex } from 'viem'
import { describe, expect, it, onTestFinished } from 'vitest'
import { AppError } from '../../../../kernel/errors.js'
import { sandboxTokenAbi } from '../../../../sandbox/anvil/seed.js'
import { postJson } from '../../../../test/harness/control.js'
import { act } from '../../../../test/harness/evm.js'
import { MINTER } from '../../../../test/harness/evm-side.js'
import { DUE, startAddressHarness, units } from '../../fixtures/address-payments.js'
import { cryptoInput } from '../../fixtures/crypto-payments.js'
import { checkoutPayment } from '../../fixtures/payments.js'
import { chargeOf, payAndProcess, presentOf, startPix } from '../../fixtures/pix-payments.js'
import type { PaymentsDeps } from '../../context.js'
import type { Payment } from '../../store/payment.entity.js'
import { cancelPayment } from '../cancel-payment.js'
import { createTransaction } from '../create-transaction.js'
import { endWalletAttempt } from '../transfers/end-wallet-attempt.js'
import { openAddress } from './open-address.js'

const { harness, anvil, deps, tenant, USDT, addressOf, open, opened, send, pass, priceRunsOut, untilSettled } =
  await startAddressHarness()

async function mint(to: Hex, amount: string): Promise<void> {
  const data = encodeFunctionData({ abi: sandboxTokenAbi, functionName: 'mint', args: [to, parseUnits(amount, 6)] })
  await act({ anvil }, { from: MINTER, to: USDT, data })
}

/** A wallet that can pay. */
async function newWallet(): Promise<Hex> {
  const wallet = harness.newReceiver()
  await anvil.setBalance({ address: wallet, value: 10n ** 20n })
  await mint(wallet, '100')
  return wallet
}

/** The same, in which something happens after the chain was asked and before anything is written down. */
function withMeanwhile(meanwhile: () => Promise<unknown>): PaymentsDeps {
  const rails = deps.rails.map((rail) =>
    rail.kind === 'wallet'
      ? {
          ...rail,
          placeAddress: async (...args: Parameters<typeof rail.placeAddress>) => {
            await meanwhile()
            return rail.placeAddress(...args)
          },
        }
      : rail,
  )
  return { ...deps, rails }
}

const setPrice = (price: string) => postJson(`${harness.prices.url}/sandbox/price`, { symbol: 'USDTBRL', price })

describe('a repeated idempotency key', () => {
  it('answers an address as it was opened, though the payment was canceled and the product switched off since', async () => {
    const payment = await checkoutPayment(harness)
    const input = { paymentId: payment.id, chainName: 'polygon' }
    const under = (key: string) => ({ ...tenant, idempotency: { key, fingerprint: 'one', onReplay: () => undefined } })
    const first = await openAddress(deps, under('open'), input)
    expect(first).toMatchObject({ status: 'pending', sequence: 2 })
    expect(await openAddress(deps, under('still open'), input)).toEqual(first)
    await cancelPayment(deps, tenant, { id: payment.id })
    await expect(openAddress(deps, under('after'), input)).rejects.toMatchObject({ code: 'payment_already_processed' })
    const poor = { ...under('open'), products: [] }
    expect(await openAddress(deps, poor, input)).toEqual(first)
    expect(await openAddress(deps, under('still open'), input)).toEqual(first)
  })
})

const unpriced = withMeanwhile(() => Promise.reject(new AppError('provider_unavailable')))

describe('the address of a payment whose payer has a Pix charge', () => {
  const charged = async () => startPix(harness, await checkoutPayment(harness))

  it('takes the place of the charge, which nobody can pay any more', async () => {
    const waiting = await charged()
    expect(await open(waiting)).toMatchObject({ status: 'pending', transactionType: 'crypto', chargeId: null })
    expect(await chargeOf(harness, waiting)).toMatchObject({ state: 'closed' })
  })

  it('leaves the payer the charge where it cannot be opened', async () => {
    const waiting = await charged()
    const at = (chainName: string) => ({ paymentId: waiting.id, chainName })
    await expect(openAddress(deps, tenant, at('nowhere'))).rejects.toMatchObject({
      code: 'validation_error',
      errors: [{ field: 'chainName' }],
    })
    await expect(openAddress(unpriced, tenant, at('polygon'))).rejects.toMatchObject({ code: 'provider_unavailable' })
    expect(await presentOf(harness, waiting)).toMatchObject({ status: 'pending', chargeId: waiting.chargeId })
    const charge = await chargeOf(harness, waiting)
    expect(charge).toMatchObject({ state: 'open' })
    await payAndProcess(harness, charge.reference)
    expect(await chargeOf(harness, waiting)).toMatchObject({ state: 'paid' })
  })

  it('leaves the payer the charge where its removal would be the last that the history takes', async () => {
    const waiting = await charged()
    await harness.query('update payments.payment set sequence = 99 where id = $1', [waiting.id])
    await expect(open(waiting)).rejects.toMatchObject({
      code: 'payment_already_processed',
      message: expect.stringContaining('too many transactions') as string,
    })
    expect(await chargeOf(harness, waiting)).toMatchObject({ state: 'open' })
  })
})

describe('an address that cannot be opened', () => {
  it('counts against no limit of its tenant', async () => {
    const limits = { perPayment: null, perPayerDay: null, perTenantDay: null }
    await deps.risk.setLimits(tenant.id, 'BRL', { ...limits, perTenantDay: '100' })
    const refused = { paymentId: (await checkoutPayment(harness)).id, chainName: 'polygon' }
    await expect(openAddress(unpriced, tenant, refused)).rejects.toMatchObject({ code: 'provider_unavailable' })
    await opened()
    await expect(opened()).rejects.toMatchObject({ code: 'payment_limit_exceeded' })
    await deps.risk.setLimits(tenant.id, 'BRL', limits)
  })
})

describe('the address of a payment whose wallet was asked', () => {
  it('is not opened where the wallet was asked again meanwhile, and is when it is asked for again', async () => {
    const payment = await checkoutPayment(harness)
    const wallet = await newWallet()
    const input = { paymentId: payment.id, chainName: 'polygon' }
    await createTransaction(deps, tenant, cryptoInput(payment, wallet))
    const racing = withMeanwhile(() => createTransaction(deps, tenant, cryptoInput(payment, wallet)))
    await expect(openAddress(racing, tenant, input)).rejects.toMatchObject({ code: 'payment_already_processed' })
    const asked = await presentOf(harness, payment)
    expect(asked).toMatchObject({ status: 'pending', payerWallet: wallet })
    expect(asked.unsignedTransaction).not.toBeNull()
    expect(await openAddress(deps, tenant, input)).toMatchObject({ unsignedTransaction: null, payerWallet: null })
  })
})

describe('the address of a payment whose price has run out', () => {
  it('asks for no other price, on no chain, while what came in time waits for its confirmations', async () => {
    const { payment, address } = await opened()
    await send(address, DUE)
    await priceRunsOut()
    await setPrice('5.41')
    await expect(open(payment)).rejects.toMatchObject({ code: 'payment_already_processed' })
    expect(await untilSettled(payment)).toMatchObject({ amountTo: DUE, receivedAmount: DUE, late: false })
    await setPrice('5.42')
  })

  it('asks for no other price while the rest of what was counted waits, and for the rest at another where all is counted', async () => {
    const { payment, address } = await opened()
    await send(address, '10')
    await pass()
    await send(address, '1')
    await priceRunsOut()
    await setPrice('5.41')
    await expect(open(payment)).rejects.toMatchObject({ code: 'payment_already_processed' })
    await pass(2)
    const { amountTo } = await open(payment)
    expect(amountTo).not.toBe(DUE)
    await pass()
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending', receivedAmount: '11' })
    await setPrice('5.42')
  })
})

describe('the address of a payment that two requests open at once', () => {
  it('is opened at one price, which both are told, also where it changes between them', async () => {
    const payment = await checkoutPayment(harness)
    let first: Payment | undefined
    const racing = withMeanwhile(async () => {
      if (first) return
      first = await open(payment)
      await setPrice('5.30')
    })
    onTestFinished(async () => {
      await setPrice('5.42')
    })
    const input = { paymentId: payment.id, chainName: 'polygon' }
    const keyed = { ...tenant, idempotency: { key: 'second', fingerprint: 'one', onReplay: () => undefined } }
    const second = await openAddress(racing, keyed, input)
    expect(second).toEqual(first)
    expect(await openAddress(deps, keyed, input)).toEqual(first)
    const address = await addressOf(payment)
    expect(address.due).toBe(units(first?.amountTo ?? ''))
    await send(address, first?.amountTo ?? '')
    expect(await untilSettled(payment)).toMatchObject({ overpaidAmount: null, late: false })
  })
})

describe('what was sent to the address of a payment', () => {
  const REFUSED = { code: 'payment_already_processed' }
  const end = ({ id }: { id: string }) => endWalletAttempt(deps, tenant, { id })
  const cancel = ({ id }: { id: string }) => cancelPayment(deps, tenant, { id })

  /** A test before this one may have left another price. */
  async function openedFor() {
    const { payment, address } = await opened()
    return { payment, address, due: payment.amountTo ?? '' }
  }

  it('counts before a wallet is asked at another price, though it waits for its confirmations', async () => {
    const { payment, address, due } = await openedFor()
    await send(address, due)
    await priceRunsOut()
    const input = cryptoInput(payment, await newWallet())
    await expect(createTransaction(deps, tenant, input)).rejects.toMatchObject(REFUSED)
    expect(await untilSettled(payment)).toMatchObject({ amountTo: due, receivedAmount: due, unsignedTransaction: null })
  })

  it('keeps a payment whose wallet was asked since then from another way to pay, and from its end', async () => {
    const { payment, address, due } = await openedFor()
    const input = cryptoInput(payment, await newWallet())
    await createTransaction(deps, tenant, input)
    await send(address, due)
    await expect(end(payment)).rejects.toMatchObject(REFUSED)
    await expect(cancel(payment)).rejects.toMatchObject(REFUSED)
    await expect(createTransaction(deps, tenant, input)).rejects.toMatchObject(REFUSED)
    expect(await untilSettled(payment)).toMatchObject({ receivedAmount: due })
  })

  it('keeps it so whose payer has gone on to a Pix: before it is confirmed, and while the Pix is waited for', async () => {
    const { payment, address } = await opened()
    await end(payment)
    const waiting = await startPix(harness, payment)
    await send(address, '10')
    const input = cryptoInput(payment, await newWallet())
    for (let time = 0; time < 2; time += 1) {
      await expect(cancel(payment)).rejects.toMatchObject(REFUSED)
      await expect(createTransaction(deps, tenant, input)).rejects.toMatchObject(REFUSED)
      expect(await presentOf(harness, payment)).toMatchObject({ chargeId: waiting.chargeId, receivedAmount: null })
      await pass()
    }
    expect(await chargeOf(harness, waiting)).toMatchObject({ state: 'open' })
    // At the address the rest is asked for.
    await open(payment)
    await pass()
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending', receivedAmount: '10' })
    expect(await chargeOf(harness, waiting)).toMatchObject({ state: 'closed' })
  })

  it('keeps its payer from a Pix where no attempt waits any more', async () => {
    const { payment, address, due } = await openedFor()
    await end(payment)
    await send(address, due)
    await expect(startPix(harness, payment)).rejects.toMatchObject(REFUSED)
    expect(await untilSettled(payment)).toMatchObject({ receivedAmount: due })
  })
})
