import { describe, expect, it } from 'vitest'
import { AppError } from '../../../../kernel/errors.js'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { cardPayment, payByCard } from '../../fixtures/card-payments.js'
import { keptMails } from '../../fixtures/kept-mails.js'
import { paidPayment } from '../../fixtures/pix-payments.js'
import { emailReceipt, readReceiptState } from './email-receipt.js'

const { sent, mails } = keptMails({ pastDueDays: 0 })
const [asked, firstAnswer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
let isFirst = true
const harness = await startPaymentsHarness({
  mails: {
    ...mails,
    sendMail: async (message) => {
      if (isFirst) {
        isFirst = false
        asked.resolve()
        await firstAnswer.promise
      }
      await mails.sendMail(message)
    },
  },
})

describe('a receipt that its payer asks for twice', () => {
  it('is sent by the second job where the first one, which was at it, fails', async () => {
    const { id } = await payByCard(harness, await cardPayment(harness))
    const ask = () => emailReceipt(harness.deps, harness.tenant, { paymentId: id, email: 'ana@example.com' })
    await ask()
    const first = harness.runJobs()
    await asked.promise
    await ask()
    await harness.runJobs()
    firstAnswer.reject(new AppError('provider_unavailable'))
    expect((await first).errors).toMatchObject([{ code: 'provider_unavailable' }])
    expect(sent).toEqual([])
    await harness.goOn(10)
    expect(sent).toMatchObject([{ messageName: `receipt-${id}` }])
    expect(await readReceiptState(harness.deps, harness.tenant, { id })).toBe('sent')
  })
})

describe('a receipt that is asked for long after the payment was paid', () => {
  it('says when it was paid, not when it last changed', async () => {
    const { id } = await payByCard(harness, await cardPayment(harness))
    await harness.goOn(3 * 86_400)
    await harness.query('update payments.payment set updated_at = $2 where id = $1', [id, harness.clock.now()])
    const { chargeId } = (await harness.deps.payments.find(harness.tenant.id, id)) ?? {}
    const charge = await harness.deps.charges.find(harness.tenant.id, chargeId ?? '')
    await emailReceipt(harness.deps, harness.tenant, { paymentId: id, email: 'ana@example.com' })
    await harness.goOn(10)
    const mail = sent.find(({ messageName }) => messageName === `receipt-${id}`)
    const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(
      charge?.confirmedAt ?? 0,
    )
    expect(mail?.text).toContain(`Date: ${day}`)
  })
})

describe('a receipt whose payment waits for its payouts', () => {
  const nextLook = async (id: string) =>
    harness.query(
      `select priority, round(extract(epoch from run_at - clock_timestamp()) / 60)::int as minutes
        from graphile_worker._private_jobs where key = $1`,
      [`send-receipt:${id}`],
    )

  it('is looked for rarer and rarer, behind all that somebody waits for', async () => {
    const {
      payment: { id },
    } = await paidPayment(harness)
    await emailReceipt(harness.deps, harness.tenant, { paymentId: id, email: 'ana@example.com' })
    const looks: unknown[] = []
    for (const seconds of [0, 3_600, 20 * 86_400]) {
      await harness.goOn(seconds)
      looks.push(...(await nextLook(id)))
    }
    expect(looks).toEqual([
      { priority: 12, minutes: expect.toBeOneOf([0, 1]) as number },
      { priority: 12, minutes: 6 },
      { priority: 12, minutes: 15 },
    ])
  })
})
