import { beforeEach, describe, expect, it } from 'vitest'
import { cryptoInput } from '../../fixtures/crypto-payments.js'
import { checkoutPayment, financialPayment } from '../../fixtures/payments.js'
import { CPF, startPaymentsHarness } from '../../../../test/harness/payments.js'
import {
  chargedPayment,
  chargeOf,
  paidPayment,
  payAndProcess,
  pixInput,
  presentOf,
  startPix,
  untilToldOf,
} from '../../fixtures/pix-payments.js'
import { returnsOf } from '../../fixtures/rows.js'
import { until } from '../../../../test/harness/until.js'
import { createTransaction } from '../../domain/create-transaction.js'
import { showCharge } from '../../domain/charges/show-charge.js'
import { parseBrCode } from './br-code.js'
import type { Payment } from '../../store/payment.entity.js'

const harness = await startPaymentsHarness()
beforeEach(async () => {
  harness.kyc.state = undefined
  await harness.pixControl('/callbacks', { mode: 'deliver' })
})

const payoutsOf = ({ id, tenantId }: { id: string; tenantId: string }) => harness.deps.payouts.findAll({ id, tenantId })
const untilReturned = (payment: Payment) =>
  until(`the money of ${payment.id} is back`, async () => {
    await harness.goOn(30)
    return (await returnsOf(harness, payment)).some(({ status }) => status === 'done')
  })

describe('a payment by Pix', () => {
  it('hands out a charge with a BR Code and a QR code, and keeps the tax id masked and hashed only', async () => {
    const payment = await startPix(harness, await checkoutPayment(harness))
    expect(payment).toMatchObject({
      status: 'pending',
      transactionType: 'pixcrypto',
      payerCpf: '***.982.247-**',
      amountTo: '18.450185',
    })
    const charge = await chargeOf(harness, payment)
    expect(charge.reference).toMatch(/^[a-zA-Z0-9]{26,35}$/)
    const shown = await showCharge(harness.deps, charge)
    expect(shown).toMatchObject({ status: 'ATIVA', txid: charge.reference, code: charge.id })
    expect(shown?.pixQrCodeDataUrl).toMatch(/^data:image\/png;base64,iVBOR/)
    expect(parseBrCode(shown?.pixCopiaECola ?? '')?.get('58')).toBe('BR')
    const digits = CPF.replace(/\D/g, '')
    const tables = ['payment', 'payment_event', 'charge', 'provider_event']
    for (const table of tables) {
      const rows = await harness.query(`select row_to_json(t)::text as text from payments.${table} as t`)
      expect(rows.filter(({ text }) => String(text).includes(digits))).toEqual([])
    }
  })

  it('expires before the lock of its quote does', async () => {
    const payment = await startPix(harness, await checkoutPayment(harness))
    const charge = await chargeOf(harness, payment)
    const quote = await harness.deps.quotes.find(harness.tenant.id, payment.quoteId ?? '')
    const view = await showCharge(harness.deps, charge)
    const providerEnd = (view?.calendar.criacao.getTime() ?? 0) + (view?.calendar.expiracao ?? 0) * 1000
    expect(providerEnd).toBeLessThanOrEqual(quote?.expiresAt.getTime() ?? 0)
    expect(charge.expiresAt.getTime()).toBeLessThanOrEqual(quote?.expiresAt.getTime() ?? 0)
  })

  it('gives the same charge again while it can be paid, and another one once it has expired', async () => {
    const { payment, txid } = await chargedPayment(harness)
    const again = await startPix(harness, payment)
    expect((await chargeOf(harness, again)).reference).toBe(txid)
    expect(again.sequence).toBe(payment.sequence)
    await harness.advance(16 * 60)
    const fresh = await startPix(harness, payment)
    expect((await chargeOf(harness, fresh)).reference).not.toBe(txid)
    // Whoever still pays the old one gets the money back.
    await payAndProcess(harness, txid)
    await untilReturned(payment)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending', chargeId: fresh.chargeId })
  })

  it('refuses any attempt after a charge was paid', async () => {
    const { payment, txid } = await chargedPayment(harness)
    const crypto = cryptoInput(payment, '0x3333333333333333333333333333333333333333')
    const refused = { code: 'payment_already_processed' }
    await payAndProcess(harness, txid)
    await expect(startPix(harness, payment)).rejects.toMatchObject(refused)
    await expect(createTransaction(harness.deps, harness.tenant, crypto)).rejects.toMatchObject(refused)
    await expect(startPix(harness, payment, { transactionType: 'fiatcrypto' })).rejects.toMatchObject(refused)
  })

  it('takes a payment once, however often and in whatever order callbacks tell of it', async () => {
    await harness.pixControl('/callbacks', { mode: 'duplicate' })
    const { payment } = await paidPayment(harness)
    await harness.runJobs()
    expect(await presentOf(harness, payment)).toMatchObject({
      status: 'pending',
      globalPaymentData: { status: 'CONCLUIDA', crypto_payment_details: null },
    })
    expect(await payoutsOf(payment)).toHaveLength(1)
    expect(await returnsOf(harness, payment)).toEqual([])
  })

  it('ends the same where the news of a return comes before the news of the payment', async () => {
    await harness.pixControl('/callbacks', { mode: 'hold' })
    const { payment, txid } = await chargedPayment(harness)
    const { endToEndId } = await harness.pixControl(`/cob/${txid}/pay`)
    await harness.pixControl(`/pix/${String(endToEndId)}/med`)
    await harness.pixControl('/callbacks/release', { order: 'last-to-first' })
    await untilToldOf(harness, String(endToEndId), 2)
    await harness.runJobs()
    expect(await returnsOf(harness, payment)).toMatchObject([{ status: 'done', forced: true, amount: '100.00' }])
    // The money was gone before anybody was paid: nobody is.
    expect(await presentOf(harness, payment)).toMatchObject({
      status: 'error',
      dataError: { code: 'charge_taken_back' },
    })
    expect(await payoutsOf(payment)).toMatchObject([{ state: 'cancelled' }])
  })

  it('finds a payment of which no callback ever told', async () => {
    await harness.pixControl('/callbacks', { mode: 'drop' })
    const { payment, txid } = await chargedPayment(harness)
    await harness.pixControl(`/cob/${txid}/pay`)
    await harness.runJobs()
    expect(await payoutsOf(payment)).toEqual([])
    await harness.goOn(20)
    expect(await payoutsOf(payment)).toHaveLength(1)
  })

  it('takes a payment that was made in time and found after the expiry', async () => {
    await harness.pixControl('/callbacks', { mode: 'drop' })
    const { payment, txid } = await chargedPayment(harness)
    await harness.pixControl(`/cob/${txid}/pay`)
    await harness.goOn(20 * 60)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending' })
    expect(await payoutsOf(payment)).toHaveLength(1)
  })

  it('gives another amount back, and ends in error', async () => {
    const { payment, txid } = await paidPayment(harness, {}, { valor: '99.99' })
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'error', dataError: { code: 'amount_mismatch' } })
    await untilReturned(payment)
    expect(await returnsOf(harness, payment)).toMatchObject([
      { amount: '99.99', receiptReason: 'amount_mismatch', forced: false },
    ])
    expect(await payoutsOf(payment)).toEqual([])
    const fresh = await startPix(harness, payment)
    expect((await chargeOf(harness, fresh)).reference).not.toBe(txid)
  })

  it('expires by itself, and gives back what comes later', async () => {
    const { payment, txid } = await chargedPayment(harness)
    await harness.goOn(16 * 60)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'error', dataError: { code: 'charge_expired' } })
    await payAndProcess(harness, txid)
    await untilReturned(payment)
    expect(await returnsOf(harness, payment)).toMatchObject([{ receiptReason: 'paid_late', amount: '100.00' }])
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'error' })
  })

  it('expires when the provider says so, and is reproved when the provider removes the charge', async () => {
    const [expired, removed] = [await chargedPayment(harness), await chargedPayment(harness)]
    await harness.pixControl(`/cob/${expired.txid}/expire`)
    await harness.pixControl(`/cob/${removed.txid}/remove`)
    await harness.goOn(30)
    expect(await presentOf(harness, expired.payment)).toMatchObject({
      status: 'error',
      dataError: { code: 'charge_expired' },
    })
    expect(await presentOf(harness, removed.payment)).toMatchObject({ status: 'reproved', dataError: null })
  })

  it('gives a second payment of the same charge back', async () => {
    const { payment, txid } = await paidPayment(harness)
    await payAndProcess(harness, txid, { again: true })
    await untilReturned(payment)
    expect(await returnsOf(harness, payment)).toMatchObject([{ receiptReason: 'paid_twice' }])
    expect(await payoutsOf(payment)).toHaveLength(1)
  })

  it('charges a price in another fiat at its worth in BRL', async () => {
    const { payment } = await chargedPayment(harness, { fromCurrencySymbol: 'USD', amountFrom: '10' })
    expect(await chargeOf(harness, payment)).toMatchObject({ currency: 'BRL', amount: '54.19' })
  })
})

describe('who may pay by Pix', () => {
  it('needs a CPF or a CNPJ, numeric or alphanumeric', async () => {
    const payment = await checkoutPayment(harness)
    for (const payerCpf of [undefined, '', '111.111.111-11', '529.982.247-26', '11222333000182', '12ABC34501DE36']) {
      await expect(startPix(harness, payment, { payerCpf: payerCpf ?? null })).rejects.toMatchObject({
        code: 'validation_error',
        errors: [{ field: 'payerCpf' }],
      })
    }
    expect(await startPix(harness, payment, { payerCpf: '12.ABC.345/01DE-35' })).toMatchObject({
      payerCpf: '**.ABC.345/****-**',
    })
    expect(await startPix(harness, await checkoutPayment(harness), { payerCpf: '11222333000181' })).toMatchObject({
      payerCpf: '**.222.333/****-**',
    })
  })

  it('has to be verified for a financial payment, and not for a checkout', async () => {
    const payment = await financialPayment(harness)
    const code = (state: string | undefined) => {
      harness.kyc.state = state
      return startPix(harness, payment).then(
        () => 'charged',
        (error: { code: string }) => error.code,
      )
    }
    expect(await code(undefined)).toBe('kyc_verification_required')
    expect(await code('NOT_APPROVED')).toBe('kyc_not_approved')
    const withoutKyc = { ...harness.tenant, products: ['crypto', 'pix'] as const }
    harness.kyc.state = 'APPROVED'
    await expect(createTransaction(harness.deps, withoutKyc, pixInput(payment))).rejects.toMatchObject({
      code: 'kyc_verification_required',
    })
    expect(await code('APPROVED')).toBe('charged')
    harness.kyc.state = undefined
    expect(await startPix(harness, await checkoutPayment(harness))).toMatchObject({ status: 'pending' })
  })

  it('needs the product pix for pixcrypto, and crypto for fiatcrypto', async () => {
    const payment = await checkoutPayment(harness)
    const attempt = (transactionType: 'pixcrypto' | 'fiatcrypto', products: readonly ('pix' | 'crypto')[]) =>
      createTransaction(harness.deps, { ...harness.tenant, products }, pixInput(payment, { transactionType }))
    const disabled = { code: 'product_disabled' }
    await expect(attempt('pixcrypto', ['crypto'])).rejects.toMatchObject(disabled)
    await expect(attempt('fiatcrypto', ['pix'])).rejects.toMatchObject(disabled)
    expect(await attempt('fiatcrypto', ['crypto'])).toMatchObject({ transactionType: 'fiatcrypto' })
  })

  it('is told at once where the receivers could not be paid', async () => {
    const open = await checkoutPayment(harness, { toChain: null })
    await expect(startPix(harness, open)).rejects.toMatchObject({ errors: [{ field: 'chainName' }] })
    expect(await startPix(harness, open, { chainName: 'polygon' })).toMatchObject({ chainName: 'polygon' })
    const empty = await checkoutPayment(harness, { splitPaymentConfig: [] })
    await expect(startPix(harness, empty)).rejects.toMatchObject({ errors: [{ field: 'paymentId' }] })
  })
})

describe('the callback address', () => {
  const call = (path: string, body: string) =>
    fetch(`${harness.options.publicUrl}/callbacks/pix/${path}`, { method: 'POST', body })

  it('does not exist for who does not know the secret in it', async () => {
    for (const path of ['', 'pix', 'wrong/pix', 'wrong']) expect((await call(path, '{"pix":[]}')).status).toBe(404)
  })

  it('believes nothing: money that the provider does not show moves nothing', async () => {
    const { payment, txid } = await chargedPayment(harness)
    const webhook = await harness.query('select 1')
    expect(webhook).toHaveLength(1)
    const rail = harness.deps.rails.find(({ name }) => name === 'pix')
    const token = await secretOf()
    const endToEndId = `E${'0'.repeat(31)}`
    const forged = JSON.stringify({ pix: [{ endToEndId, txid, valor: '100.00', horario: '2026-01-01T00:00:00Z' }] })
    expect(rail?.kind).toBe('charge')
    expect((await call(`${token}/pix`, forged)).status).toBe(200)
    await harness.runJobs()
    expect(await payoutsOf(payment)).toEqual([])
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending' })
  })

  it('keeps what it cannot read, too, sealed', async () => {
    const token = await secretOf()
    expect((await call(token, 'not JSON')).status).toBe(200)
    const [event] = await harness.query(
      `select event_key as key, sealed_content as sealed from payments.provider_event where event_key like 'sha256:%'`,
    )
    expect(String(event?.['sealed'])).not.toContain('not JSON')
    expect(await harness.deps.providerEvents.content('pix', String(event?.['key']))).toBe('not JSON')
    await harness.runJobs()
  })

  /** What the provider was told at start. */
  async function secretOf(): Promise<string> {
    const { callbackToken } = await import('./callback.js')
    const { hkdfSync } = await import('node:crypto')
    return callbackToken(Buffer.from(hkdfSync('sha256', harness.options.masterKey, '', 'callbacks', 32)))
  }
})
