import { describe, expect, it } from 'vitest'
import { findLastingPort } from '../sandbox/processes/free-port.js'
import { startHarness } from '../test/harness/harness.js'
import { mailsTo, refuseNextMail, untilMails } from '../test/harness/mailbox.js'
import { pageOfOrder, payPix, PIX_PAYER, viewOfPage } from '../test/harness/payment-page.js'
import { newEmail } from '../test/harness/rest-kyc.js'
import { until } from '../test/harness/until.js'
import type { PageView } from './page/view.js'

// Pix calls back to the address that the product says it has.
const harness = await startHarness({ PORT: String(await findLastingPort()) })

const viewOf = (path: string) => viewOfPage(harness, path)

/** A payment by Pix whose money has come, and its page's path. */
async function paid(): Promise<{ id: string; path: string }> {
  const { id, address } = await pageOfOrder(harness)
  const path = new URL(address).pathname
  const pix = await harness.rest('POST', `${path}/pix`, { body: PIX_PAYER })
  const { view } = pix.body as unknown as { view: PageView }
  await payPix(harness, view.pix?.code ?? '')
  await until('it is paid', async () => (await viewOf(path)).status === 'paid')
  return { id, path }
}

const ask = (path: string, email: string, language = 'pt') =>
  harness.rest('POST', `${path}/receipt`, { body: { email, language } })

describe('a receipt by e-mail', () => {
  it('is sent to the payer who asks for it, once, in the language of his page, and his address is forgotten', async () => {
    const [{ id, path }, email] = [await paid(), newEmail()]
    expect((await mailsTo(harness, email)).length).toBe(0)
    const answers = await Promise.all([ask(path, email), ask(path, email)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const [mail] = await untilMails(harness, email)
    await until('it is noted', async () => {
      const rows = await harness.sql('select email, sent_at from payments.receipt_email where payment_id = $1', [id])
      return rows[0]?.['sent_at'] !== null && rows[0]?.['email'] === null
    })
    expect((await ask(path, email)).status).toBe(200)
    expect(mail?.subject).toContain('Comprovante')
    expect(mail?.text).toMatch(/R\$\s149,90/)
    expect(mail?.text).toContain(id)
    for (const secret of [PIX_PAYER.cpf, '52998224725', PIX_PAYER.email]) {
      expect(mail?.text).not.toContain(secret)
      expect(mail?.html).not.toContain(secret)
    }
    await until('nothing is left to do', async () => {
      const jobs = await harness.sql(`select 1 from graphile_worker.jobs where task_identifier = 'send-receipt'`)
      return jobs.length === 0
    })
    expect(await mailsTo(harness, email)).toHaveLength(1)
  })

  it('is had of no payment whose money has not come, and goes to addresses alone', async () => {
    const { address } = await pageOfOrder(harness)
    const { pathname } = new URL(address)
    const email = newEmail()
    expect((await ask(pathname, email)).body).toMatchObject({ error: { code: 'invalid_payment_status' } })
    expect((await ask(pathname, 'nobody')).body).toMatchObject({ error: { fields: ['email'] } })
    expect(await mailsTo(harness, email)).toEqual([])
  })

  it('counts no address that is refused: not one that the page knows to be none, nor one that only the graph does', async () => {
    const [{ path }, email] = [await paid(), newEmail()]
    for (const none of ['nobody', 'nobody@example', 'a@b@example.com', 'a\u0000@example.com']) {
      const { status, body } = await ask(path, none)
      expect([status, body]).toMatchObject([400, { error: { code: 'validation_error', fields: ['email'] } }])
    }
    const answers = await Promise.all(['one', 'two', 'three', 'four'].map(() => ask(path, email)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429])
    expect(await untilMails(harness, email)).toHaveLength(1)
  })

  it('comes although the mail server was away', async () => {
    const [{ path }, email] = [await paid(), newEmail()]
    await refuseNextMail(harness)
    expect((await ask(path, email)).status).toBe(200)
    expect(await untilMails(harness, email)).toHaveLength(1)
  })
})
