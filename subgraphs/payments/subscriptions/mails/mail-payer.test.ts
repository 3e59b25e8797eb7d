import { beforeEach, describe, expect, it } from 'vitest'
import { AppError } from '../../../../kernel/errors.js'
import type { MailMessage } from '../../../../kernel/mailer.js'
import { CARDS } from '../../../../sandbox/demo/card-payer.js'
import { payByCard } from '../../fixtures/card-payments.js'
import { DAY_SECONDS, startSubscriptionHarness } from '../../fixtures/subscriptions.js'
import { endSubscriptions } from '../../fixtures/rows.js'
import { cancelPayment } from '../../domain/cancel-payment.js'
import type { Subscription } from '../../store/subscription.entity.js'
import { resumeSubscriptions } from '../resume-subscriptions.js'
import { mailJob } from './mail-jobs.js'
import { mailPayer } from './mail-payer.js'
import { stopSubscriptionEmails } from './stop-subscription-emails.js'

const sent: MailMessage[] = []
let failures = 0
/** While it is set, the mail server takes its time: until it resolves, or rejects. */
let hanging: { asked: () => void; answer: Promise<void> } | undefined
const rules = { reminderDays: [3, 6] as readonly number[], pastDueDays: 0, perHour: 1_000 }
const harness = await startSubscriptionHarness({
  mails: {
    sendMail: async (message) => {
      hanging?.asked()
      await hanging?.answer
      if (failures > 0) {
        failures -= 1
        throw new AppError('provider_unavailable')
      }
      sent.push(message)
    },
    subscriptionMails: { rules, stopLink: ({ id }) => `http://localhost/pay-reminders/${id}` },
  },
})

beforeEach(async () => {
  await endSubscriptions(harness)
  sent.length = 0
  failures = 0
  hanging = undefined
  Object.assign(harness.products, { isDisabled: false, creditCard: true })
  Object.assign(rules, { reminderDays: [3, 6], pastDueDays: 0, perHour: 1_000 })
})

/** Of the e-mails those about a subscription, by what makes them known to a mailbox. */
const mailsOf = ({ id }: Subscription): MailMessage[] =>
  sent.filter(({ messageName }) => messageName?.startsWith(`mail-subscription-${id}-`))
const stepsOf = (subscription: Subscription): string[] =>
  mailsOf(subscription).map(({ messageName }) => String(messageName).split('-').at(-1) ?? '')

/** One that nobody charges, at its first due date. */
const dueSubscription = () => harness.subscriptionDue({ charge: false })
const goDays = (days: number) => harness.goOn(days * DAY_SECONDS)

describe('the payer of a tenant that is disabled', () => {
  it('is reminded of nothing until it is enabled again', async () => {
    Object.assign(rules, { reminderDays: [3], pastDueDays: 0 })
    const subscription = await dueSubscription()
    harness.products.isDisabled = true
    await goDays(4)
    expect(stepsOf(subscription)).toEqual(['0'])
    harness.products.isDisabled = false
    await goDays(1)
    expect(stepsOf(subscription)).toEqual(['0', '1'])
  })

  it('is not late for what nobody could pay meanwhile', async () => {
    Object.assign(rules, { reminderDays: [], pastDueDays: 3 })
    const subscription = await dueSubscription()
    harness.products.isDisabled = true
    await goDays(4)
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'active' })
    harness.products.isDisabled = false
    await goDays(1)
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'past_due' })
  })
})

describe('the payer of a period that nobody charges', () => {
  it('is asked once when it is due, and reminded on the days that are set', async () => {
    const subscription = await dueSubscription()
    const { id } = await harness.lastPeriod(subscription)
    const [mail] = mailsOf(subscription)
    expect(mail).toMatchObject({
      subject: 'Pagamento da sua assinatura Gold',
      to: expect.stringContaining('@') as string,
    })
    expect(mail?.text).toMatch(/R\$\s100,00/)
    expect(mail?.text).toContain(`http://localhost/pay/${id}`)
    expect(mail?.unsubscribeUrl).toBe(`http://localhost/pay-reminders/${subscription.id}`)
    expect(mail?.text).not.toContain(mail?.to)
    await goDays(2)
    expect(stepsOf(subscription)).toEqual(['0'])
    await goDays(1)
    await goDays(3)
    await goDays(10)
    expect(stepsOf(subscription)).toEqual(['0', '1', '2'])
    expect(mailsOf(subscription).at(-1)?.subject).toContain('Lembrete')
    // The contract's: without the setting a subscription that is not charged stays as it is.
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'active' })
    expect(await harness.eventTypes(subscription)).toEqual(['started', 'payment_registered'])
  })

  it('hears nothing any more once it is paid', async () => {
    const subscription = await dueSubscription()
    await payByCard(harness, await harness.lastPeriod(subscription))
    await goDays(10)
    expect(stepsOf(subscription)).toEqual(['0'])
    expect(await harness.eventTypes(subscription)).toEqual(['started', 'payment_registered', 'renewed'])
  })

  it('hears nothing any more once the subscription has ended, or the payment was canceled', async () => {
    const [ended, canceled] = [await dueSubscription(), await dueSubscription()]
    sent.length = 0
    await harness.cancel(ended)
    await cancelPayment(harness.deps, harness.tenant, { id: (await harness.lastPeriod(canceled)).id })
    await goDays(10)
    expect([...mailsOf(ended), ...mailsOf(canceled)]).toEqual([])
  })

  it('hears nothing any more once he has said so, however often', async () => {
    const subscription = await dueSubscription()
    const stop = () => stopSubscriptionEmails(harness.deps, harness.tenant, { id: subscription.id })
    const first = await stop()
    await harness.advance(5)
    expect((await stop()).emailsStoppedAt).toEqual(first.emailsStoppedAt)
    await goDays(35)
    expect(stepsOf(subscription)).toEqual(['0'])
    expect(await harness.periodPayments(subscription)).toHaveLength(2)
    const other = { ...harness.tenant, id: 'another' }
    const refused = stopSubscriptionEmails(harness.deps, other, { id: subscription.id })
    await expect(refused).rejects.toMatchObject({ code: 'subscription_not_found' })
  })

  it('hears nothing while the subscription is paused, and is reminded when it goes on', async () => {
    const subscription = await dueSubscription()
    await harness.pause(subscription)
    await goDays(3)
    await goDays(5)
    expect(stepsOf(subscription)).toEqual(['0'])
    await harness.resume(subscription)
    await goDays(1)
    expect(stepsOf(subscription)).toEqual(['0', '1'])
  })

  it('is past due on the day that is set, and active again when it is paid', async () => {
    rules.pastDueDays = 7
    const subscription = await dueSubscription()
    await goDays(6)
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'active' })
    await goDays(1)
    const end = { status: 'past_due', nextPaymentAt: null, refusals: 0 }
    expect(await harness.subscriptionNow(subscription)).toMatchObject(end)
    await payByCard(harness, await harness.lastPeriod(subscription))
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'active' })
    expect(await harness.eventTypes(subscription)).toEqual(['started', 'payment_registered', 'past_due', 'renewed'])
  })
})

describe('the payer of a period that is charged', () => {
  it('is asked once his card is refused for the last time, and not before', async () => {
    const subscription = await harness.subscriptionDue({ retryCount: 1 }, CARDS.refusedOnFile)
    expect(mailsOf(subscription)).toEqual([])
    await harness.goTo((await harness.subscriptionNow(subscription)).nextAttemptAt)
    await harness.runJobs()
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'past_due', refusals: 2 })
    expect(mailsOf(subscription).map(({ subject }) => subject)).toEqual(['O seu cartão foi recusado: assinatura Gold'])
    await goDays(3)
    expect(stepsOf(subscription)).toEqual(['0', '1'])
  })

  it('gets no e-mail where the charge succeeds', async () => {
    const subscription = await harness.subscriptionDue()
    await goDays(10)
    expect(mailsOf(subscription)).toEqual([])
    expect(await harness.eventTypes(subscription)).toEqual(['started', 'payment_registered', 'renewed'])
  })
})

describe('an e-mail to a payer', () => {
  it('is sent once by workers that run at once, and by a job that comes again', async () => {
    const subscription = await dueSubscription()
    const step = { tenantId: subscription.tenantId, subscriptionId: subscription.id, period: 1, step: 0 }
    await Promise.all(Array.from({ length: 5 }, () => mailPayer(harness.deps, step)))
    expect(stepsOf(subscription)).toEqual(['0'])
    await harness.advance(3 * DAY_SECONDS)
    const reminder = { ...step, step: 1 }
    await Promise.all(Array.from({ length: 5 }, () => mailPayer(harness.deps, reminder)))
    await harness.runJobs()
    expect(stepsOf(subscription)).toEqual(['0', '1'])
  })

  it('is sent again under the same name where its process dies before it is noted, and noted once', async () => {
    const subscription = await dueSubscription()
    const step = { tenantId: subscription.tenantId, subscriptionId: subscription.id, period: 1, step: 1 }
    await harness.advance(3 * DAY_SECONDS)
    const { subscriptionMails } = harness.deps
    const dying = { ...subscriptionMails, endIn: () => Promise.reject(new Error('dead')) }
    await expect(mailPayer({ ...harness.deps, subscriptionMails: dying }, step)).rejects.toThrow('dead')
    await harness.runJobs()
    const names = mailsOf(subscription).map(({ messageName }) => messageName)
    expect(names.slice(1)).toEqual([names[1], names[1]])
    await goDays(1)
    expect(mailsOf(subscription)).toHaveLength(3)
  })

  it('comes although the mail server was away until its job gave up', async () => {
    failures = 25
    const subscription = await dueSubscription()
    expect(mailsOf(subscription)).toEqual([])
    expect(failures).toBe(0)
    await harness.goOn(2 * 3_600)
    expect(mailsOf(subscription)).toEqual([])
    await resumeSubscriptions(harness.deps)
    await harness.runJobs()
    expect(stepsOf(subscription)).toEqual(['0'])
  })

  it('is sent by the job that came while another was at it, where that one fails', async () => {
    const subscription = await dueSubscription()
    await harness.advance(3 * DAY_SECONDS)
    const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    hanging = { asked: asked.resolve, answer: answer.promise }
    const first = harness.runJobs()
    await asked.promise
    const step = { tenantId: subscription.tenantId, subscriptionId: subscription.id, period: 1, step: 1 }
    await harness.deps.addJobNow(mailJob(step, harness.clock.now()))
    await harness.runJobs()
    hanging = undefined
    answer.reject(new AppError('provider_unavailable'))
    expect((await first).errors).toMatchObject([{ code: 'provider_unavailable' }])
    await harness.goOn(10)
    expect(stepsOf(subscription)).toEqual(['0', '1'])
  })

  it('waits for the next hour where its tenant has sent as many as it may', async () => {
    const [one, other] = [await dueSubscription(), await dueSubscription()]
    sent.length = 0
    rules.perHour = 1
    // To the start of an hour, so that both are due within one.
    await harness.advance(3 * DAY_SECONDS)
    await harness.advance(3_600 - (Math.floor(harness.clock.now().getTime() / 1000) % 3_600))
    await harness.runJobs()
    const count = () => mailsOf(one).length + mailsOf(other).length
    expect(count()).toBe(1)
    await harness.goOn(3_600)
    expect(count()).toBe(2)
  })

  it('is written to nobody where no address is known', async () => {
    const { subscription, payment } = await harness.subscribe({ charge: false })
    await harness.query('update payments.payment set payer_email = null where id = $1', [payment.id])
    await harness.goTo(subscription.nextPaymentAt)
    expect(mailsOf(subscription)).toEqual([])
  })
})
