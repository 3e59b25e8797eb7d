import { passTime } from '../test/harness/control.js'
import { describe, expect, it } from 'vitest'
import { findLastingPort } from '../sandbox/processes/free-port.js'
import { startHarness } from '../test/harness/harness.js'
import { pageOfOrder, payPix, PIX_PAYER, viewOfPage } from '../test/harness/payment-page.js'
import { newEmail } from '../test/harness/rest-kyc.js'
import { until } from '../test/harness/until.js'
import type { PageView } from './page/view.js'

// Pix calls back to the address that the product says it has.
const harness = await startHarness({ PORT: String(await findLastingPort()) })

const DAY_SECONDS = 86_400

interface Mail {
  subject: string
  text: string
}

const mailsTo = async (email: string): Promise<Mail[]> =>
  (await (await fetch(`${harness.mailboxUrl}?to=${encodeURIComponent(email)}`)).json()) as Mail[]

const viewOf = (path: string) => viewOfPage(harness, path)

const advance = (days: number) => passTime(harness, days * DAY_SECONDS)

/** Pays on a payment's page by Pix. */
async function payOnPage(path: string, email: string): Promise<void> {
  const pix = await harness.rest('POST', `${path}/pix`, { body: { ...PIX_PAYER, email } })
  const { view } = pix.body as unknown as { view: PageView }
  await payPix(harness, view.pix?.code ?? '')
  await until('it is paid', async () => (await viewOf(path)).status === 'paid')
}

/** A monthly subscription that began with a Pix; gives its id. */
async function subscribe(email: string): Promise<string> {
  const { id, address } = await pageOfOrder(harness, {
    payment_method_allowed: { pixcrypto: true },
    gateway_method: 'subs',
    subscription_payment_config: { plan_name: 'Clube', interval: 'monthly' },
  })
  await payOnPage(new URL(address).pathname, email)
  const { body } = await harness.graphql(
    'query ($id: ID!) { payment(id: $id) { subscription { id } } }',
    { id },
    { as: harness.tenant },
  )
  return (body.data as unknown as { payment: { subscription: { id: string } } }).payment.subscription.id
}

const mailsSent = (email: string, count: number): Promise<Mail[]> =>
  until(`${count} e-mails`, async () => {
    const mails = await mailsTo(email)
    return mails.length >= count && mails
  })

const pathIn = (text: string | undefined, path: string): string =>
  new URL(/https?:\S+/.exec(text?.slice(text.lastIndexOf('http', text.indexOf(path))) ?? '')?.[0] ?? '').pathname

const untilTold = (id: string, type: string) =>
  until(`${type} is told`, () => harness.hooks.of(id).some((event) => event.type === `subscription.${type}`))

describe('a subscription without a card', () => {
  it('asks its payer by e-mail at the due date, whose link opens the page, and is renewed by a Pix there', async () => {
    const email = newEmail()
    const id = await subscribe(email)
    expect(await mailsTo(email)).toEqual([])
    await advance(31)
    const [mail] = await mailsSent(email, 1)
    expect(mail?.subject).toContain('Pagamento da sua assinatura Clube')
    expect(mail?.text).toMatch(/R\$\s149,90/)
    expect(mail?.text).not.toContain(PIX_PAYER.cpf)
    const path = pathIn(mail?.text, '/pay/')
    expect((await viewOf(path)).status).toBe('open')
    await payOnPage(path, email)
    await untilTold(id, 'renewed')
    await advance(8)
    await until('nothing is planned', async () => {
      const open = 'select 1 from payments.subscription_mail where subscription_id = $1 and ended_at is null'
      return (await harness.sql(open, [id])).length === 0
    })
    expect(await mailsTo(email)).toHaveLength(1)
  })

  it('reminds with a link that is still good, until the payer says that he wants no more of them', async () => {
    const email = newEmail()
    const id = await subscribe(email)
    await advance(31)
    const [first] = await mailsSent(email, 1)
    await advance(4)
    const [, reminder] = await mailsSent(email, 2)
    expect(reminder?.subject).toContain('Lembrete')
    const stop = `${harness.url}${pathIn(reminder?.text, '/pay-reminders/')}`
    const looked = await fetch(stop, { headers: { 'accept-language': 'pt-BR' } })
    expect([looked.status, looked.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(looked.headers.get('content-security-policy')).toContain("form-action 'self'")
    expect(await looked.text()).toContain('data-status="ask"')
    const stoppedAt = async () =>
      (await harness.sql('select emails_stopped_at from payments.subscription where id = $1', [id]))[0]?.[
        'emails_stopped_at'
      ]
    expect(await stoppedAt()).toBeNull()
    for (const body of ['', 'List-Unsubscribe=One-Click']) {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const stopped = await fetch(stop, { method: 'POST', headers, body })
      expect([stopped.status, await stopped.text()]).toEqual([200, expect.stringContaining('data-status="done"')])
    }
    expect(await stoppedAt()).not.toBeNull()
    await advance(4)
    const status = async (mail: Mail | undefined) =>
      (await fetch(`${harness.url}${pathIn(mail?.text, '/pay/')}/state`)).status
    expect([await status(first), await status(reminder)]).toEqual([404, 200])
    expect((await viewOf(pathIn(reminder?.text, '/pay/'))).status).toBe('open')
    await advance(36)
    await until('the next is dropped', async () => {
      const dropped = `select 1 from payments.subscription_mail where subscription_id = $1 and period = 2 and outcome = 'dropped'`
      return (await harness.sql(dropped, [id])).length === 1
    })
    expect(await mailsTo(email)).toHaveLength(2)
  })

  it('is stopped by nothing but its own link', async () => {
    for (const token of ['nonsense', `${harness.tenant.id}.cxxxxxxxxxxxxxxxxxxxxxxxx.${'a'.repeat(32)}`]) {
      for (const method of ['GET', 'POST']) {
        const answer = await fetch(`${harness.url}/pay-reminders/${token}`, { method })
        expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('data-status="notFound"')])
      }
    }
  })
})
