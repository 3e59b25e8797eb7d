import { expect, it } from 'vitest'
import { postJson } from '../harness/control.js'
import { startHarness } from '../harness/harness.js'
import { CREATE_TRANSACTION, register, statusOf, transactionBody } from '../harness/rest-payments.js'

const harness = await startHarness()

it("a router's call that pays somebody else than it says is not handed out", async () => {
  const payer = await harness.chain.newPayer()
  const receiver = harness.chain.newReceiver()
  const terms = { split_payment_config: [{ receiver_wallet: receiver, receiver_percent: 100 }] }
  const id = await register(harness, harness.tenant, terms)
  const create = () =>
    harness.rest('POST', CREATE_TRANSACTION, {
      as: harness.tenant,
      body: transactionBody(id, payer.address, 'USDC'),
    })
  const order = (payee: string) =>
    postJson(`${harness.routerUrl}/sandbox/router-payee`, { payer: payer.address, payee })
  await order(harness.chain.newReceiver())
  expect((await create()).body).toMatchObject({ statusCode: 502, status: 'provider_unavailable' })
  expect(await statusOf(harness, harness.tenant, id)).toMatchObject({ status: 'registered' })
  await order(receiver)
  expect((await create()).status).toBe(201)
})
