import { describe, expect, it } from 'vitest'
import { createOrder, pixOfOrder, statusOf } from '../harness/rest-payments.js'
import { startHarness } from '../harness/harness.js'

const harness = await startHarness()

const SIMULATORS = ['priceUrl', 'routerUrl', 'kycUrl', 'pixUrl', 'cardUrl'] as const

const post = (url: string, body: object = {}): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

/** A Pix charge of an order, whose payer needs no verification. */
async function newCharge(): Promise<{ id: string; txid: string; code: string }> {
  const orderId = await createOrder(harness, harness.tenant, { payment_method_allowed: { pixcrypto: true } })
  const { id, charge } = await pixOfOrder(harness, harness.tenant, orderId)
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

describe('the page of the sandbox', () => {
  const send = async (form: Record<string, string>): Promise<{ status: number; text: string }> => {
    const answer = await fetch(`${harness.url}/sandbox`, { method: 'POST', body: new URLSearchParams(form) })
    return { status: answer.status, text: await answer.text() }
  }

  it('has a form for each control, and runs nothing that is sent to it', async () => {
    const answer = await fetch(`${harness.url}/sandbox`)
    const page = await answer.text()
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    for (const action of ['clock', 'pix-pay', 'pix-med', 'card-chargeback', 'kyc-decide', 'router-faults'])
      expect(page).toContain(`value="${action}"`)
  })

  it('does nothing without the platform key', async () => {
    const { id, code } = await newCharge()
    for (const key of ['', harness.tenant.key]) {
      expect((await send({ action: 'pix-pay', code, key })).status).toBe(403)
      expect((await send({ action: 'clock', seconds: '1', key })).status).toBe(403)
    }
    expect(await statusOf(harness, harness.tenant, id)).toMatchObject({ status: 'pending' })
  })

  it('pays a Pix, and moves the clock', async () => {
    const key = await harness.dashboard.platformKey()
    const { txid, code } = await newCharge()
    const paid = await send({ action: 'pix-pay', code, valor: '', key })
    expect(paid.text).toContain('200 {')
    const again = await post(`${harness.pixUrl}/sandbox/cob/${txid}/pay`)
    expect(await again.text()).toContain('já foi paga')
    const before = harness.clock.now().getTime()
    expect((await send({ action: 'clock', seconds: '60', key })).status).toBe(200)
    expect(harness.clock.now().getTime() - before).toBeGreaterThanOrEqual(60_000)
    expect((await send({ action: 'clock', seconds: 'x', key })).status).toBe(400)
    expect((await send({ action: 'unknown', key })).status).toBe(404)
  })
})
