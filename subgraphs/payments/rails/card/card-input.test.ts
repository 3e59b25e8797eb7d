import { describe, expect, it } from 'vitest'
import { CARDS } from '../../../../sandbox/demo/card-payer.js'
import type { RawCard } from '../../model/card-input.js'
import { createTransaction } from '../../domain/create-transaction.js'
import { completeMethods } from '../../../../terms/methods.js'
import { tokenizeCard } from '../../domain/charges/tokenize-card.js'
import { cardData, cardPayment, payByCard, rawCard } from '../../fixtures/card-payments.js'
import { financialPayment } from '../../fixtures/payments.js'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { presentOf } from '../../fixtures/pix-payments.js'

const harness = await startPaymentsHarness()

const failuresOf = async (work: Promise<unknown>): Promise<{ field: string; message: string }[]> =>
  work.then(
    () => [],
    (error: { errors?: { field: string; message: string }[] }) => error.errors ?? [],
  )
const withToken = (cardToken: string) => cardData('', { card: null, cardToken })

/** The answer to a token that the processor does not take, as the payment's history has it. */
const TOKEN_REFUSED = { status: 'error', dataError: { code: 'card_token_invalid' } }

describe('a token', () => {
  const tokenized = { payerIp: '203.0.113.7', sessionId: 'session-1' }

  it('pays once: the second use is refused and the payment may be tried again', async () => {
    const {
      id,
      card: shown,
      createdAt,
      expiresAt,
    } = await tokenizeCard(harness.deps, harness.tenant, { card: rawCard(CARDS.paid) })
    expect(shown).toMatchObject({
      firstSixDigits: '400000',
      lastFourDigits: '0010',
      holderName: 'ANA SILVA',
      expYear: 2039,
    })
    expect(expiresAt.getTime() - createdAt.getTime()).toBe(60_000)
    const byToken = { ...tokenized, cardData: withToken(id) }
    expect((await payByCard(harness, await cardPayment(harness), byToken)).status).toBe('success')
    const second = await cardPayment(harness)
    const { sequence } = await payByCard(harness, second, byToken)
    const failed = await presentOf(harness, second)
    expect(failed).toMatchObject({ ...TOKEN_REFUSED, sequence })
    expect((await payByCard(harness, failed)).status).toBe('success')
  })

  it('is good for a minute', async () => {
    const { id } = await tokenizeCard(harness.deps, harness.tenant, { card: rawCard(CARDS.paid) })
    await harness.advance(61)
    const byToken = { ...tokenized, cardData: withToken(id) }
    expect(await payByCard(harness, await cardPayment(harness), byToken)).toMatchObject(TOKEN_REFUSED)
  })

  it('needs the IP address and the session of its payer', async () => {
    const failures = await failuresOf(
      payByCard(harness, await cardPayment(harness), { cardData: withToken('token_x') }),
    )
    expect(failures.map(({ field }) => field)).toEqual(['payerIp', 'sessionId'])
  })
})

describe('what a payer by card has to send', () => {
  it('is listed at once, without a word of what was sent', async () => {
    const payment = await cardPayment(harness)
    const failures = await failuresOf(
      createTransaction(harness.deps, harness.tenant, {
        paymentId: payment.id,
        transactionType: 'cardfiat',
        payerEmail: 'ana@example.com',
        cardData: cardData('4000000000000011', {
          installments: 2,
          card: { ...rawCard('4000000000000011'), cvv: '12', expMonth: 13, expYear: 2020 },
          address: { ...cardData('').address, zipcode: '01310-100', country: 'Brazil' },
        }),
      }),
    )
    expect(failures.map(({ field }) => field).sort()).toEqual(
      [
        'cardData.address.country',
        'cardData.address.zipcode',
        'cardData.card.cvv',
        'cardData.card.expMonth',
        'cardData.card.number',
        'cardData.installments',
        'payerDocument',
        'payerDocumentType',
        'payerName',
        'payerPhone',
      ].sort(),
    )
    expect(JSON.stringify(failures)).not.toContain('4000000000000011')
  })

  it('refuses an expired card, a wrong CPF and what is no number of a passport', async () => {
    const payment = await cardPayment(harness)
    const of = async (changes: object) =>
      (await failuresOf(payByCard(harness, payment, changes))).map(({ field }) => field)
    expect(await of({ cardData: cardData('', { card: { ...rawCard(CARDS.paid), expYear: 20 } }) })).toEqual([
      'cardData.card.expYear',
    ])
    expect(await of({ payerDocument: '52998224724' })).toEqual(['payerDocument'])
    expect(await of({ payerDocument: 'AB 1', payerDocumentType: 'PASSPORT' })).toEqual(['payerDocument'])
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'registered' })
  })

  it('is a verified identity, where the payment is not a checkout', async () => {
    const payment = await financialPayment(harness, { paymentMethodAllowed: completeMethods({ cardfiat: true }) })
    await expect(payByCard(harness, payment)).rejects.toMatchObject({ code: 'kyc_verification_required' })
  })

  it.each([
    ['some receivers have', [50, 50], ['rp_a', undefined]],
    ['no receiver has', [50, 50], [undefined, ' ']],
    ['one receiver has none and the other no share,', [100, 0], [undefined, 'rp_b']],
    ['nobody', [], []],
  ])('is a recipient for card to fiat: nobody is charged where %s', async (_case, percents, recipients) => {
    const payment = await cardPayment(harness, {
      splitPaymentConfig: percents.map((receiverPercent, index) => ({
        ...{ receiverWallet: `wallet ${index}`, receiverPercent },
        ...(recipients[index] !== undefined && { recipientId: recipients[index] }),
      })),
    })
    expect((await failuresOf(payByCard(harness, payment))).map(({ field }) => field)).toEqual(['transactionType'])
    expect(harness.card.countOrders(payment.id)).toBe(0)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'registered' })
  })
})

describe('a deployment that takes tokens only', async () => {
  const closed = await startPaymentsHarness({ isRawCardEnabled: false })

  it('refuses cards in payments and in tokens, and says what to send', async () => {
    const message = 'is not taken here: send the token of the card'
    const payment = await cardPayment(closed)
    expect(await failuresOf(payByCard(closed, payment))).toEqual([{ field: 'cardData.card', message }])
    const card: RawCard = rawCard(CARDS.paid)
    const tokenized = tokenizeCard(closed.deps, closed.tenant, { card })
    expect(await failuresOf(tokenized)).toEqual([{ field: 'card', message }])
  })
})
