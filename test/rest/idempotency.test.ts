import { describe, expect, it } from 'vitest'
import { signRequest } from '../../sandbox/demo/sign-request.js'
import {
  countPayments,
  CREATE_TRANSACTION,
  EXECUTE,
  orderBody,
  REGISTER,
  registerBody,
  transactionBody,
} from '../harness/rest-payments.js'
import { postJson } from '../harness/control.js'
import type { TestTenant } from '../harness/tenants.js'
import { until } from '../harness/until.js'
import { startHarness } from '../harness/harness.js'

const harness = await startHarness()
const tenant = harness.tenant

let keys = 0
const newKey = () => `key-${(keys += 1)}`
const post = (path: string, body: unknown, key: string | string[], as: TestTenant = tenant) =>
  harness.rest('POST', path, { as, body, headers: { 'idempotency-key': key } })
const hundred = <T>(work: () => Promise<T>) => Promise.all(Array.from({ length: 100 }, work))
const count = async (table: string, column: string, id: string) =>
  Number((await harness.sql(`select count(*) from ${table} where ${column} = $1`, [id]))[0]?.['count'])

describe('100 parallel identical requests', () => {
  it('to register leave one payment, one event and one webhook, and get one answer', async () => {
    const other = await harness.dashboard.newTenant()
    const [body, key] = [registerBody(other), newKey()]
    const answers = await hundred(() => post(REGISTER, body, key, other))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(99)
    expect(await count('payments.payment', 'tenant_id', other.id)).toBe(1)
    expect(await count('payments.payment_event', 'tenant_id', other.id)).toBe(1)
    const id = String(answers[0]?.body.data?.['payment_id'])
    expect(await harness.hooks.told(id)).toHaveLength(1)
  })

  it('to create a transaction build one, and those that come meanwhile are told to wait', async () => {
    const payer = await harness.chain.newPayer()
    const id = await tenant.register()
    const [body, key] = [transactionBody(id, payer.address), newKey()]
    const before = harness.rpc.calls.length
    const answers = await hundred(() => post(CREATE_TRANSACTION, body, key))
    const statuses = new Set(answers.map(({ body: { status } }) => status))
    expect([...statuses].filter((status) => status !== 'idempotency_in_progress')).toEqual(['payment_registered'])
    const waiting = answers.filter(({ status }) => status === 409)
    expect(waiting.filter(({ headers }) => headers['retry-after'] !== '1')).toEqual([])
    expect(harness.rpc.calls.slice(before).filter(({ method }) => method === 'eth_estimateGas')).toHaveLength(1)
    const replay = await post(CREATE_TRANSACTION, body, key)
    expect(replay.text).toBe(answers.find(({ status }) => status === 201)?.text)
    expect(replay.headers['idempotent-replayed']).toBe('true')
  })

  it('to execute on chain relay once', async () => {
    const signed = await tenant.signedPayment(await harness.chain.newPayer())
    const [body, key] = [{ payment_id: signed.id, signed_transaction: signed.raw }, newKey()]
    const answers = await hundred(() => post(EXECUTE, body, key))
    const statuses = new Set(answers.map(({ body: { status } }) => status))
    expect([...statuses].filter((status) => status !== 'idempotency_in_progress')).toEqual(['payment_confirmed'])
    expect(harness.rpc.sendsOf(signed.raw)).toBe(1)
    const replay = await post(EXECUTE, body, key)
    expect([replay.body.status, replay.headers['idempotent-replayed']]).toEqual(['payment_confirmed', 'true'])
  })
})

describe('a key', () => {
  it('answers as it did first, even when things have moved on since', async () => {
    const payer = await harness.chain.newPayer()
    const [registerKey, createKey] = [newKey(), newKey()]
    const registered = await post(REGISTER, registerBody(tenant), registerKey)
    const id = String(registered.body.data?.['payment_id'])
    const created = await post(CREATE_TRANSACTION, transactionBody(id, payer.address), createKey)
    const { transactionRequest } = created.body.data?.['crypto_tx'] as {
      transactionRequest: Parameters<typeof signRequest>[1]
    }
    await tenant.execute({ id, raw: await signRequest(payer, transactionRequest) })
    const again = await post(CREATE_TRANSACTION, transactionBody(id, payer.address), createKey)
    expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([201, created.text, 'true'])
    expect((await post(REGISTER, registerBody(tenant), registerKey)).text).toBe(registered.text)
  })

  it('registers a payment from an order once, also when the order was switched off or deleted since', async () => {
    const [order, key] = [await tenant.createOrder(), newKey()]
    const body = { order_code: order }
    const first = await post(REGISTER, body, key)
    expect([first.status, first.headers['idempotent-replayed']]).toEqual([201, undefined])
    const again = async () => {
      const { status, text, headers } = await post(REGISTER, body, key)
      return { status, text, replayed: headers['idempotent-replayed'] }
    }
    const replayed = { status: 201, text: first.text, replayed: 'true' }
    await harness.rest('PATCH', `/order/${order}/toggle`, { as: tenant })
    expect((await post(REGISTER, body, newKey())).body.status).toBe('order_inactive')
    expect(await again()).toEqual(replayed)
    await harness.rest('DELETE', `/order/${order}`, { as: tenant })
    expect((await post(REGISTER, body, newKey())).body.status).toBe('order_not_found')
    expect(await again()).toEqual(replayed)
    const other = await post(REGISTER, { ...body, metadata: { note: 'another body' } }, key)
    expect(other.body).toMatchObject({ statusCode: 422, status: 'idempotency_key_reused' })
    expect(await countPayments(harness, order)).toBe(1)
  })

  it('registers one payment from an order, however many requests race', async () => {
    const [order, key] = [await tenant.createOrder(), newKey()]
    const answers = await hundred(() => post(REGISTER, { order_code: order }, key))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(99)
    expect(await countPayments(harness, order)).toBe(1)
  })

  it('gives a Pix charge out again as it was, also after it was paid', async () => {
    const order = await tenant.createOrder({ payment_method_allowed: { pixcrypto: true } })
    const registered = await post(REGISTER, { order_code: order }, newKey())
    const id = String(registered.body.data?.['payment_id'])
    const payer = { payer_email: 'ana@example.com', payer_cpf: '52998224725' }
    const [body, key] = [{ payment_id: id, transaction_type: 'pixcrypto', ...payer }, newKey()]
    const first = await post(CREATE_TRANSACTION, body, key)
    expect(first.body.data?.['fiat_tx']).toMatchObject({ status: 'ATIVA' })
    const { txid } = first.body.data?.['fiat_tx'] as { txid: string }
    await postJson(`${harness.pixUrl}/sandbox/cob/${txid}/pay`)
    const paid = async () => (await tenant.statusOf(id))['global_payment_data'] as { status?: string }
    await until('the charge is paid', async () => (await paid()).status === 'CONCLUIDA')
    const again = await post(CREATE_TRANSACTION, body, key)
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true'])
  })

  it('is good for the same body in another spelling, and refused with 422 for another one or another route', async () => {
    const key = newKey()
    const body = registerBody(tenant)
    const first = await post(REGISTER, body, key)
    const reordered = Object.fromEntries([['unknown', 1], ...Object.entries(body).reverse()])
    expect((await post(REGISTER, reordered, key)).text).toBe(first.text)
    for (const [path, other] of [
      [REGISTER, registerBody(tenant, { amount_from: '100.0' })],
      ['/order/create', orderBody()],
      [
        CREATE_TRANSACTION,
        transactionBody(String(first.body.data?.['payment_id']), '0x1111111111111111111111111111111111111111'),
      ],
    ] as const) {
      expect((await post(path, other, key)).body).toMatchObject({ statusCode: 422, status: 'idempotency_key_reused' })
    }
  })

  it('belongs to its tenant', async () => {
    const other = await harness.dashboard.newTenant()
    const key = newKey()
    const one = await post(REGISTER, registerBody(tenant), key)
    const two = await post(REGISTER, registerBody(other), key, other)
    expect([one.status, two.status]).toEqual([201, 201])
    expect(two.body.data?.['payment_id']).not.toBe(one.body.data?.['payment_id'])
    expect(two.headers['idempotent-replayed']).toBeUndefined()
  })

  it('is forgotten after 24 hours', async () => {
    const key = newKey()
    const first = await post(REGISTER, registerBody(tenant), key)
    harness.clock.advance(24 * 3_600_000 - 1_000)
    expect((await post(REGISTER, registerBody(tenant), key)).text).toBe(first.text)
    harness.clock.advance(2_000)
    expect((await post(REGISTER, registerBody(tenant), key)).text).not.toBe(first.text)
  })

  it('of a request that failed is free again', async () => {
    const key = newKey()
    expect((await post(REGISTER, registerBody(tenant, { amount_from: '0' }), key)).status).toBe(400)
    expect((await post(REGISTER, registerBody(tenant), key)).status).toBe(201)
    const payer = await harness.chain.newPayer()
    const body = transactionBody(await tenant.register(), payer.address)
    const second = newKey()
    harness.rpc.onCall = () => 'cut'
    expect((await post(CREATE_TRANSACTION, body, second)).status).toBe(502)
    harness.rpc.onCall = () => 'pass'
    expect((await post(CREATE_TRANSACTION, body, second)).status).toBe(201)
  })

  it('of a process that died is given back four seconds after it was last heard of', async () => {
    const payer = await harness.chain.newPayer()
    const body = transactionBody(await tenant.register(), payer.address)
    const key = newKey()
    const first = await post(CREATE_TRANSACTION, body, key)
    // As the process left it: claimed, and never answered.
    const heardOf = (secondsAgo: number) =>
      harness.sql(
        `update kernel.idempotency_key set answer = null,
          leased_until = clock_timestamp() + make_interval(secs => 4 - $2::int) where key = $1`,
        [key, secondsAgo],
      )
    await heardOf(0)
    const refused = await post(CREATE_TRANSACTION, body, key)
    expect([refused.body.status, refused.headers['retry-after']]).toEqual(['idempotency_in_progress', '1'])
    await heardOf(5)
    expect((await post(CREATE_TRANSACTION, body, key)).status).toBe(first.status)
  })

  it('has 1 to 255 characters', async () => {
    expect((await post(REGISTER, registerBody(tenant), 'k'.repeat(255))).status).toBe(201)
    for (const bad of ['', 'k'.repeat(256)]) {
      const answer = await post(REGISTER, registerBody(tenant), bad)
      expect(answer.body).toMatchObject({ status: 'validation_error', errors: [{ field: 'idempotency-key' }] })
    }
  })

  it('comes once: two in one request are refused, and nothing is done', async () => {
    const order = await tenant.createOrder()
    for (const twice of [
      ['one', 'two'],
      ['same', 'same'],
    ]) {
      const { body } = await post(REGISTER, { order_code: order }, twice)
      const errors = [{ field: 'idempotency-key', message: 'must be sent once' }]
      expect(body).toMatchObject({ statusCode: 400, status: 'validation_error', errors })
    }
    expect(await countPayments(harness, order)).toBe(0)
  })

  it('means nothing where nothing is written', async () => {
    const answer = await harness.rest('GET', '/order/list', {
      as: tenant,
      headers: { 'idempotency-key': 'k'.repeat(300) },
    })
    expect([answer.status, answer.headers['idempotent-replayed']]).toEqual([200, undefined])
  })
})
