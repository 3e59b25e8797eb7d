import { expect, it } from 'vitest'
import { postJson } from '../harness/control.js'
import { startHarness } from '../harness/harness.js'
import { CREATE_TRANSACTION, splitTo, transactionBody } from '../harness/rest-payments.js'

const harness = await startHarness()

it("a router's call that pays somebody else than it says is not handed out", async () => {
  const payer = await harness.chain.newPayer()
  const receiver = harness.chain.newReceiver()
  const id = await harness.tenant.register(splitTo([receiver]))
  const create = () => harness.tenant.post(CREATE_TRANSACTION, transactionBody(id, payer.address, 'USDC'))
  const order = (payee: string) =>
    postJson(`${harness.routerUrl}/sandbox/router-payee`, { payer: payer.address, payee })
  await order(harness.chain.newReceiver())
  expect((await create()).body).toMatchObject({ statusCode: 502, status: 'provider_unavailable' })
  expect(await harness.tenant.statusOf(id)).toMatchObject({ status: 'registered' })
  await order(receiver)
  expect((await create()).status).toBe(201)
})
