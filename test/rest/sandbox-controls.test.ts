import { describe, expect, it } from 'vitest'
import { ledgerCli } from '../../subgraphs/payments/cli/ledger-cli.js'
import { passTime } from '../harness/control.js'
import { cardTerms } from '../harness/rest-cards.js'
import { proveEmail } from '../harness/rest-kyc.js'
import { until } from '../harness/until.js'
import { startHarness } from '../harness/harness.js'
import { runCli } from '../harness/run-cli.js'

const harness = await startHarness()

const SIMULATORS = ['priceUrl', 'routerUrl', 'kycUrl', 'pixUrl', 'cardUrl'] as const

const post = (url: string, body: object = {}): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

/** A Pix charge of an order, whose payer needs no verification. */
async function newCharge(): Promise<{ id: string; txid: string; code: string }> {
  const orderId = await harness.tenant.createOrder({ payment_method_allowed: { pixcrypto: true } })
  const { id, charge } = await harness.tenant.pixOfOrder(orderId)
  return { id, txid: charge.txid, code: charge.pixCopiaECola }
}

describe('the simulators of a sandbox', () => {
  it.each(SIMULATORS)('at %s fail as they are told to', async (name) => {
    const url = harness[name]
    const order = async (body: object) => (await post(`${url}/sandbox/faults`, body)).status
    for (const mode of ['drop-answer', 'down']) {
      expect(await order({ mode, times: 1 })).toBe(200)
      await expect(fetch(`${url}/anything`)).rejects.toThrow(TypeError)
    }
    expect(await order({ mode: 'error', times: 1 })).toBe(200)
    expect((await fetch(`${url}/anything`)).status).toBeGreaterThanOrEqual(500)
    expect(await order({ mode: 'slow', ms: 1 })).toBe(200)
    expect(await order({ mode: 'ok' })).toBe(200)
    expect((await fetch(`${url}/anything`)).status).toBeLessThan(500)
  })

  it('take the order to fail at the mailbox too, where sandbox.json says that it is', async () => {
    expect((await post(`${harness.mailboxUrl}/sandbox/faults`, { mode: 'ok' })).status).toBe(200)
  })

  it.each([
    ['pixUrl', '/sandbox/cob/unknown/pay'],
    ['pixUrl', '/sandbox/pay'],
    ['pixUrl', '/sandbox/cob/unknown/expire'],
    ['pixUrl', '/sandbox/cob/unknown/remove'],
    ['pixUrl', '/sandbox/pix/unknown/med'],
    ['cardUrl', '/sandbox/charges/unknown/chargeback'],
    ['cardUrl', '/sandbox/charges/unknown/refund'],
    ['cardUrl', '/sandbox/charges/unknown/settle'],
    ['kycUrl', '/sandbox/session/unknown/decide'],
  ] as const)('know %s%s, and say what is wrong with its input', async (name, path) => {
    const answer = await post(`${harness[name]}${path}`)
    expect([400, 404, 409]).toContain(answer.status)
    expect(await answer.text()).not.toContain('Route POST')
  })

  it('let a bank pay a Pix by its copy-and-paste code', async () => {
    const { txid, code } = await newCharge()
    expect((await post(`${harness.pixUrl}/sandbox/pay`, { code: 'unknown' })).status).toBe(404)
    expect((await post(`${harness.pixUrl}/sandbox/pay`, { code })).status).toBe(200)
    const again = await post(`${harness.pixUrl}/sandbox/cob/${txid}/pay`)
    expect(await again.text()).toContain('já foi paga')
  })
})

describe('the clock of a sandbox', () => {
  it('is that of the command lines too: a statement and a reason to wait go by the time it was moved to', async () => {
    await passTime(harness, 86_400)
    const { id, txid } = await newCharge()
    expect((await post(`${harness.pixUrl}/sandbox/cob/${txid}/pay`)).status).toBe(200)
    await until('the payer’s money is in', async () => {
      const { global_payment_data: data } = await harness.tenant.statusOf(id)
      return (data as { status?: string } | null)?.status === 'CONCLUIDA'
    })
    const { dataDir } = harness
    const run = (...args: string[]) =>
      runCli((words, output) => ledgerCli(words, output, { databaseUrl: undefined, dataDir }), args, {})
    const statement = await run('statement', '--tenant', harness.tenant.id, '--format', 'jsonl')
    const lines = statement.out
      .split('\n')
      .map((line) => JSON.parse(line) as { kind: string; at: string; paymentId: string })
    expect(lines.filter(({ paymentId }) => paymentId === id)).not.toHaveLength(0)
    expect(Date.parse(lines.at(-1)?.at ?? '') - Date.now()).toBeGreaterThan(86_000_000)
    const { err } = await run('close', '--to', new Date(Date.now() + 10_000_000).toISOString())
    expect(err).not.toContain('--to')
  })
})

describe('the page of the sandbox', () => {
  const panel = async (path: string, form?: Record<string, string>, cookie = '') => {
    const answer = await fetch(harness.url + path, {
      headers: { cookie },
      redirect: 'manual',
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }
  const opened = async (): Promise<string> => {
    const { status, headers } = await panel('/sandbox/key', { key: await harness.dashboard.platformKey() })
    expect(status).toBe(303)
    expect(headers.get('set-cookie')).toMatch(/; Path=\/sandbox; HttpOnly; SameSite=Strict$/)
    return headers.get('set-cookie')?.split(';')[0] ?? ''
  }
  /** Sends a form, and gives the page that tells what it came to. */
  const does = async (cookie: string, form: Record<string, string>): Promise<string> => {
    expect((await panel('/sandbox', form, cookie)).status).toBe(303)
    return (await panel('/sandbox', undefined, cookie)).text
  }

  it('shows and does nothing before it was shown the platform key', async () => {
    const { id, txid } = await newCharge()
    for (const key of ['', harness.tenant.key]) expect((await panel('/sandbox/key', { key })).status).toBe(403)
    for (const cookie of ['', 'sandbox=', 'sandbox=unknown']) {
      const { text, headers } = await panel('/sandbox', undefined, cookie)
      expect(text).not.toContain(txid)
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      expect((await panel('/sandbox', { action: 'pix-pay-charge', txid }, cookie)).status).toBe(403)
      expect((await panel('/sandbox', { action: 'clock', seconds: '1' }, cookie)).status).toBe(403)
    }
    expect(await harness.tenant.statusOf(id)).toMatchObject({ status: 'pending' })
  })

  it('lists the open Pix charges, each with a button that pays it, and what was paid with one that takes it back', async () => {
    const cookie = await opened()
    const { txid, code } = await newCharge()
    const { txid: other } = await newCharge()
    const button = (action: string, name: string, value: string) =>
      `name="action" value="${action}" /><input type="hidden" name="${name}" value="${value}"`
    const tight = (text: string) => text.replaceAll(/>\s+</g, '><')
    expect(tight((await panel('/sandbox', undefined, cookie)).text)).toContain(button('pix-pay-charge', 'txid', txid))
    const page = tight(await does(cookie, { action: 'pix-pay-charge', txid }))
    expect(page).toContain('200 {')
    expect(page).not.toContain(button('pix-pay-charge', 'txid', txid))
    expect(page).toContain(button('pix-pay-charge', 'txid', other))
    expect(page).toMatch(/name="action" value="pix-med"/)
    expect(await does(cookie, { action: 'pix-pay', code, valor: '' })).toContain('já foi paga')
    // What was answered is shown once.
    expect((await panel('/sandbox', undefined, cookie)).text).not.toContain('já foi paga')
  })

  it('lists who waits to be verified, and confirms a person', async () => {
    const cookie = await opened()
    const email = await proveEmail(harness, harness.tenant)
    const { body } = await harness.tenant.post('/kyc/create/verify_public_kyc', { email })
    const { session_id: session = '' } = (body.data?.['session'] ?? {}) as Record<string, string>
    const before = (await panel('/sandbox', undefined, cookie)).text
    expect(before).toContain(`value="${session}"`)
    expect(before).toContain(email)
    expect(await does(cookie, { action: 'kyc-decide', session, status: 'Approved' })).not.toContain(
      `value="${session}"`,
    )
    const status = () => harness.tenant.get(`/kyc/status?email=${email}`)
    await until('the person is confirmed', async () => (await status()).body.data?.['approved'] === true)
  })

  it('charges a card back, where the list has its charge', async () => {
    const cookie = await opened()
    const orderId = await harness.tenant.createOrder(cardTerms(['rp_demoShop']))
    await harness.tenant.payByCard(orderId)
    const page = (await panel('/sandbox', undefined, cookie)).text
    const charge =
      /value="card-chargeback"[^>]*>\s*<input type="hidden" name="charge" value="(ch_\w+)"/.exec(page)?.[1] ?? ''
    expect(await does(cookie, { action: 'card-chargeback', charge })).toContain('chargedback')
  })

  it('moves the clock, and lets a simulator fail', async () => {
    const cookie = await opened()
    const before = harness.clock.now().getTime()
    expect(await does(cookie, { action: 'clock', seconds: '60' })).toContain('It is ')
    expect(harness.clock.now().getTime() - before).toBeGreaterThanOrEqual(60_000)
    expect(await does(cookie, { action: 'clock', seconds: 'x' })).toContain('whole number')
    expect(await does(cookie, { action: 'price-faults', mode: 'error', times: '1', ms: '' })).toContain('200 {')
    expect((await fetch(`${harness.priceUrl}/anything`)).status).toBeGreaterThanOrEqual(500)
    for (const action of ['unknown', 'toString', '']) {
      expect(await does(cookie, { action })).toContain('There is no such control here.')
    }
  })
})
