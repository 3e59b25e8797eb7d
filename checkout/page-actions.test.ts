import { describe, expect, it } from 'vitest'
import { postJson } from '../test/harness/control.js'
import { startHarness } from '../test/harness/harness.js'
import { newEmail } from '../test/harness/rest-kyc.js'
import { until } from '../test/harness/until.js'
import type { PageView } from './page/view.js'

const harness = await startHarness()
const ANA = { email: 'ana@example.com', cpf: '529.982.247-25' }

/** A payment of an order, and the path of its page. */
async function pageOfOrder(methods: object = { pixcrypto: true, crypto: true }): Promise<{ id: string; path: string }> {
  const order = await harness.tenant.createOrder({ payment_method_allowed: methods })
  return pageOf(await harness.tenant.register({ order_code: order }))
}

async function pageOf(id: string): Promise<{ id: string; path: string }> {
  return { id, path: await harness.tenant.pagePath(id) }
}

const act = (path: string, name: string, body: unknown, headers = {}) =>
  harness.rest('POST', `${path}/${name}`, { body, headers })

const answerOf = ({ body }: { body: object }) =>
  body as { view?: PageView; given?: unknown; error?: { code: string; fields?: string[] } }

/** Reads views off a page's stream, until one is as wanted. */
async function untilView(path: string, isWanted: (view: PageView) => boolean, signal: AbortSignal): Promise<PageView> {
  const answer = await fetch(`${harness.url}${path}/events`, { signal })
  expect(answer.headers.get('content-type')).toContain('text/event-stream')
  let text = ''
  const reader = answer.body?.getReader()
  for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
    text += Buffer.from(read.value).toString()
    for (const [, data] of text.matchAll(/^data: (.*)$/gm)) {
      const view = JSON.parse(data ?? '') as PageView
      if (isWanted(view)) return view
    }
  }
  throw new Error('the stream ended')
}

describe('a payment whose order leaves the chain open', () => {
  it('is paid by Pix all the same: its receivers are paid where they all have an address', async () => {
    const order = await harness.tenant.createOrder({
      payment_method_allowed: { pixcrypto: true },
      to_chain: undefined,
    })
    const { id, path } = await pageOf(await harness.tenant.register({ order_code: order }))
    const { view } = answerOf(await act(path, 'pix', ANA))
    expect(view?.pix?.code).toContain('br.gov.bcb.pix')
    const status = await harness.tenant.get(`/payment/${id}/status`)
    expect(status.body.data).toMatchObject({ status: 'pending', chain_name: 'polygon', to_chain: '' })
  })
})

describe('an idempotency key of the page', () => {
  const keyed = (key: string | string[]) => ({ 'idempotency-key': key })
  const REFUSED = { code: 'validation_error', fields: ['idempotency-key'] }

  it('is taken whole: two that differ in the last of 255 characters are two', async () => {
    const { path } = await pageOfOrder()
    const [one, two] = ['1', '2'].map((last) => keyed('k'.repeat(254) + last))
    expect((await act(path, 'pix', ANA, one)).status).toBe(200)
    const other = await act(path, 'pix', { ...ANA, email: 'other@example.com' }, two)
    expect([other.status, answerOf(other).error]).toEqual([200, undefined])
  })

  it('has 1 to 255 characters, and comes once', async () => {
    const { id, path } = await pageOfOrder()
    for (const bad of ['', 'k'.repeat(256), ['one', 'two'], ['one', 'one']]) {
      const answer = await act(path, 'pix', ANA, keyed(bad))
      expect([answer.status, answerOf(answer).error]).toEqual([400, REFUSED])
    }
    const status = await harness.tenant.get(`/payment/${id}/status`)
    expect(status.body.data?.['status']).toBe('registered')
  })

  it('is judged alike where a payer says who he is', async () => {
    const { path } = await pageOf(await harness.tenant.register({ payment_method_allowed: { pixcrypto: true } }))
    for (const bad of ['k'.repeat(256), ['one', 'two']]) {
      const answer = await act(path, 'identity-code', { email: newEmail() }, keyed(bad))
      expect([answer.status, answerOf(answer).error]).toEqual([400, REFUSED])
    }
    harness.clock.advance(60_000)
    const [one, two] = ['1', '2'].map((last) => keyed('k'.repeat(254) + last))
    expect((await act(path, 'identity-code', { email: newEmail() }, one)).status).toBe(200)
    expect((await act(path, 'identity-code', { email: newEmail() }, two)).status).toBe(200)
  })
})

describe('the page’s own actions', () => {
  it('need no key, and make the same Pix for the same click', async () => {
    const { path } = await pageOfOrder()
    const headers = { 'idempotency-key': 'click-1' }
    const [first, second] = await Promise.all([act(path, 'pix', ANA, headers), act(path, 'pix', ANA, headers)])
    const answers = [first, second].filter(({ status }) => status === 200)
    expect(answers.length).toBeGreaterThan(0)
    const again = answerOf(await act(path, 'pix', ANA, headers))
    expect(again.view).toMatchObject({ status: 'waiting', chosen: 'pix' })
    for (const answer of answers) expect(answerOf(answer).view?.pix?.code).toBe(again.view?.pix?.code)
  })

  it('name the fields that are wrong, and change nothing', async () => {
    const { id, path } = await pageOfOrder()
    const empty = await act(path, 'pix', { email: 'nobody', cpf: '' })
    expect(empty.status).toBe(400)
    expect(answerOf(empty).error).toEqual({ code: 'validation_error', fields: ['email', 'cpf'] })
    const wrong = await act(path, 'pix', { ...ANA, cpf: '529.982.247-26' })
    expect(answerOf(wrong).error).toEqual({ code: 'validation_error', fields: ['cpf'] })
    const unkept = await act(path, 'pix', { ...ANA, cpf: '529.982\u0000.247-25' })
    expect(answerOf(unkept).error).toEqual({ code: 'validation_error', fields: ['cpf'] })
    expect((await act(path, 'pix', 'no object')).status).toBe(400)
    const status = await harness.tenant.get(`/payment/${id}/status`)
    expect(status.body.data?.['status']).toBe('registered')
  })

  it('hold up nobody by what is long: neither an address of dots, nor a signature of 200 kB', async () => {
    const { path } = await pageOfOrder()
    const begun = performance.now()
    const dots = await act(path, 'receipt', { email: `a@${'.'.repeat(200_000)}@` })
    expect(answerOf(dots).error).toEqual({ code: 'validation_error', fields: ['email'] })
    const long = await act(path, 'sent', { signature: Buffer.alloc(150_000, 7).toString('base64') })
    expect(answerOf(long).error).toEqual({ code: 'validation_error', fields: ['hash'] })
    // Either took the only thread a minute or more.
    expect(performance.now() - begun).toBeLessThan(20_000)
  })

  it('tell a payer that what he has paid by an earlier code goes back', async () => {
    const { id, charge } = await harness.tenant.pixOfOrder(
      await harness.tenant.createOrder({ payment_method_allowed: { pixcrypto: true } }),
    )
    const { path } = await pageOf(id)
    await postJson(`${harness.pixUrl}/sandbox/cob/${charge.txid}/remove`)
    const fresh = answerOf(await act(path, 'pix', ANA)).view
    expect(fresh).toMatchObject({ status: 'waiting', isSentBack: false })
    await postJson(`${harness.pixUrl}/sandbox/cob/${charge.txid}/pay`)
    await until('the page says so', async () =>
      (await harness.rest('GET', path)).text.includes('data-test="sent-back">What you paid with an earlier code'),
    )
    const { view } = answerOf(await harness.rest('GET', `${path}/state`))
    expect(view).toMatchObject({ status: 'waiting', isSentBack: true, pix: fresh?.pix })
  })

  it('say plainly that a payer has to be verified', async () => {
    const { path } = await pageOf(await harness.tenant.register({ payment_method_allowed: { pixcrypto: true } }))
    const { status, body } = await act(path, 'pix', ANA)
    expect(status).toBe(403)
    expect(answerOf({ body }).error?.code).toBe('kyc_verification_required')
  })

  it('pay the link’s payment, whatever payment a page names', async () => {
    const [mine, other] = [await pageOfOrder(), await pageOfOrder()]
    await act(mine.path, 'pix', { ...ANA, paymentId: other.id, payment_id: other.id })
    expect(answerOf(await harness.rest('GET', `${mine.path}/state`)).view?.status).toBe('waiting')
    expect(answerOf(await harness.rest('GET', `${other.path}/state`)).view?.status).toBe('open')
  })

  it('are limited for each link by itself', async () => {
    const [busy, calm] = [await pageOfOrder(), await pageOfOrder()]
    const answers = []
    for (let count = 0; count < 12; count += 1) answers.push(await act(busy.path, 'pix', {}))
    const refused = answers.at(-1)
    expect(refused?.status).toBe(429)
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
    expect((await act(calm.path, 'pix', {})).status).toBe(400)
  })

  it('build a wallet’s transaction for a payer who has named no e-mail address', async () => {
    const { path } = await pageOfOrder()
    const { address } = await harness.chain.newPayer()
    const { given, view } = answerOf(await act(path, 'wallet', { wallet: address, chain: 'polygon', token: 'USDT' }))
    expect(given).toMatchObject({ family: 'evm', transaction: { from: address, chainId: 31337 }, approval: null })
    expect(view).toMatchObject({ status: 'waiting', chosen: 'wallet', price: { token: 'USDT' } })
  })

  it('let a payer leave his wallet for a Pix, and the Pix for his wallet', async () => {
    const { path } = await pageOfOrder()
    const { address } = await harness.chain.newPayer()
    const wallet = { wallet: address, chain: 'polygon', token: 'USDT' }
    expect(answerOf(await act(path, 'wallet', wallet)).view).toMatchObject({ chosen: 'wallet', isLocked: false })
    expect(answerOf(await act(path, 'pix', ANA)).view).toMatchObject({ status: 'waiting', chosen: 'pix' })
    expect(answerOf(await act(path, 'wallet', wallet)).view).toMatchObject({ status: 'waiting', chosen: 'wallet' })
  })

  it.each([
    ['pix', { ...ANA, cpf: '529.982.247-26' }],
    ['pix', { ...ANA, cpf: '529.982\u0000.247-25' }],
  ])('leave a payer his wallet where the form of another way is refused: %s %j', async (name, form) => {
    const { id, path } = await pageOfOrder()
    const { address } = await harness.chain.newPayer()
    const asked = answerOf(await act(path, 'wallet', { wallet: address, chain: 'polygon', token: 'USDT' })).view
    const { status, body } = await act(path, name, form)
    expect([status, answerOf({ body }).error]).toEqual([400, { code: 'validation_error', fields: ['cpf'] }])
    expect(answerOf({ body }).view).toMatchObject({ status: 'waiting', chosen: 'wallet', price: asked?.price })
    const payment = await harness.tenant.get(`/payment/${id}/status`)
    expect(payment.body.data).toMatchObject({ status: 'pending', transaction_type: 'crypto' })
  })
})

describe('the page’s stream', () => {
  it('tells of a change as soon as the database has it', async () => {
    const { path } = await pageOfOrder()
    const ended = new AbortController()
    const seen = untilView(path, ({ status }) => status === 'waiting', ended.signal)
    await act(path, 'pix', ANA)
    expect((await seen).pix?.code).toContain('br.gov.bcb.pix')
    ended.abort()
  })

  it('shows the state at once, so that nothing is missed before it', async () => {
    const { path } = await pageOfOrder()
    await act(path, 'pix', ANA)
    const ended = new AbortController()
    expect((await untilView(path, () => true, ended.signal)).status).toBe('waiting')
    ended.abort()
  })

  it('counts a change as newer though the clock of the node that made it is behind', async () => {
    const { path } = await pageOfOrder()
    harness.clock.advance(60_000)
    const before = answerOf(await act(path, 'pix', ANA)).view
    harness.clock.advance(-30_000)
    const { address } = await harness.chain.newPayer()
    const after = answerOf(await act(path, 'wallet', { wallet: address, chain: 'polygon', token: 'USDT' })).view
    expect([before?.chosen, after?.chosen]).toEqual(['pix', 'wallet'])
    expect(String(after?.version) > String(before?.version)).toBe(true)
  })
})
