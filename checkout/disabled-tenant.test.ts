import { describe, expect, it } from 'vitest'
import { startHarness } from '../test/harness/harness.js'

const harness = await startHarness()
/** What changes about a tenant is seen on its pages after this. */
const KEPT_MS = 5_000

/** The page as it is drawn, without what its script begins with. */
async function look(path: string): Promise<{ status: number; text: string }> {
  const { status, text } = await harness.rest('GET', path, { headers: { 'accept-language': 'en' } })
  return { status, text: text.replace(/<script type="application\/json".*/s, '') }
}
const statusIn = (text: string) => /data-status="(\w+)"/.exec(text)?.[1]
const CLOSED = 'This shop takes no payments right now'

describe('the payment page of a disabled tenant', () => {
  it('takes no payments, and says so', async () => {
    const tenant = await harness.dashboard.newTenant()
    const order = await tenant.createOrder({ payment_method_allowed: { pixcrypto: true, crypto: true } })
    const waiting = await tenant.pixOfOrder(order)
    const open = await tenant.register({ order_code: order })
    const paths = [await tenant.pagePath(waiting.id), await tenant.pagePath(open)]
    await harness.dashboard.disable(tenant)
    harness.clock.advance(KEPT_MS)
    for (const path of paths) {
      const { text, status } = await look(path)
      expect([status, text.includes(CLOSED)]).toEqual([200, true])
      expect(text).not.toMatch(/data-test="(?:method-\w+|pix-code|address-code|retry)"/)
      expect((await harness.rest('GET', `${path}/qr.svg`)).status).toBe(404)
      const pix = { email: 'ana@example.com', cpf: '12345678909' }
      for (const [name, body] of [
        ['pix', pix],
        ['wallet', { wallet: '0x0000000000000000000000000000000000000001', chain: 'polygon', token: 'USDT' }],
        ['address', { chain: 'polygon' }],
        ['card', {}],
        ['sent', { signed: '0x02' }],
      ] as const) {
        const answer = await harness.rest('POST', `${path}/${name}`, { body })
        expect([name, answer.status, answer.text]).toEqual([name, 403, expect.stringContaining('"merchant_closed"')])
      }
    }
    const charges = await harness.sql('select status from payments.payment where id = $1', [open])
    expect(charges).toEqual([{ status: 'registered' }])
  })

  it('shows what was paid before, and takes the hash of what a wallet has sent', async () => {
    const tenant = await harness.dashboard.newTenant()
    const paid = await tenant.signedPayment(await harness.chain.newPayer())
    await tenant.execute(paid)
    const sent = await tenant.signedPayment(await harness.chain.newPayer())
    const [paidPath, sentPath] = [await tenant.pagePath(paid.id), await tenant.pagePath(sent.id)]
    await harness.dashboard.disable(tenant)
    harness.clock.advance(KEPT_MS)
    const receipt = await look(paidPath)
    expect([statusIn(receipt.text), receipt.text.includes(CLOSED)]).toEqual(['paid', false])
    expect(receipt.text).toContain('data-test="receipt"')
    const { transactionHash: hash } = await harness.chain.mine(sent.raw)
    expect(await harness.rest('POST', `${sentPath}/sent`, { body: { hash } })).toMatchObject({ status: 200 })
    expect(statusIn((await look(sentPath)).text)).toBe('paid')
  })
})
