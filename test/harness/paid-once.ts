import type { Address } from 'viem'
import { expect } from 'vitest'
import { type Death, type Watch, watchSteps } from './deaths.js'
import type { Answer } from './http.js'
import { type SignedPayment, splitTo, type TenantCalls, tenantCalls } from './rest-payments.js'
import { type Caller, callRest } from './rest.js'
import type { ProcessHarness } from './process-harness.js'
import type { Exit, ProductProcess } from './product-process.js'
import { until } from './until.js'
import { PAID_TYPES } from './webhook-receiver.js'

/** The receivers of a payment of 100 BRL, and what each is due in base units of USDT. */
export interface Terms {
  percents: readonly number[]
  shares: readonly bigint[]
}

/** Payments through a process that dies on the way, and the one that comes after it. */
export interface DyingProduct {
  /** Pays once without disturbance. Gives the steps that this took. */
  pay: (terms: Terms) => Promise<readonly string[]>
  /** Pays, dies at a step, starts again, and checks that all ends right. */
  payAndDie: (terms: Terms, death: Death) => Promise<void>
}

/**
 * Until when the last webhook has come: a process that dies with a delivery in its hands leaves a lease of 30 s, which others look for
 * once a minute, and what they find takes its turn.
 */
const TOLD_MS = 120_000

/** How long after the end steps may still come. */
const LAST_STEPS_MS = 10_000

/** Starts the first process. */
export async function startDyingProduct(harness: ProcessHarness): Promise<DyingProduct> {
  let product: ProductProcess = await harness.start('one')
  const tenant = await harness.dashboard.newTenant()
  const rest: Caller['rest'] = (method, path, call) => callRest(product.url, method, path, call)
  const calls = tenantCalls({ rest }, tenant)

  async function signed({ percents }: Terms): Promise<{ payment: SignedPayment; receivers: Address[] }> {
    const receivers = percents.map(() => harness.chain.newReceiver())
    const payment = await calls.signedPayment(await harness.chain.newPayer(), splitTo(receivers, percents))
    // What the tenant is told of the beginning must not mingle with what is watched.
    await harness.hooks.told(payment.id, 2)
    return { payment, receivers }
  }

  return {
    pay: async (terms) => {
      const { payment, receivers } = await signed(terms)
      const watch = watchSteps(harness, product)
      await calls.execute(payment)
      await calls.untilStatus(payment.id, 'success')
      // The last step comes after the answer.
      await until('all steps', () => watch.steps.at(-1) !== 'eth_sendRawTransaction')
      watch.stop()
      await expectPaidOnce(harness, calls, { payment, receivers, shares: terms.shares })
      return watch.steps
    },
    payAndDie: async (terms, death) => {
      const { payment, receivers } = await signed(terms)
      const watch = watchSteps(harness, product, death)
      const answer = await calls.execute(payment).catch((error: unknown) => error as Error)
      await Promise.race([product.exited, calls.untilStatus(payment.id, 'success').catch(() => product.exited)])
      const died = await Promise.race([product.exited, killedLate(product, watch)])
      watch.stop()
      expect([death, watch.steps, textOf(answer), died]).toEqual([
        death,
        watch.steps,
        textOf(answer),
        expect.objectContaining({ signal: 'SIGKILL' }),
      ])
      product = await harness.start('one')
      await expectPaidOnce(harness, calls, { payment, receivers, shares: terms.shares })
    },
  }
}

/**
 * Kills a process whose death has not come. Its last steps come after the tenant sees the end, and timers of the product add steps to
 * some runs: a run with fewer than the one that was counted ends before its death.
 */
async function killedLate(product: ProductProcess, watch: Watch): Promise<Exit> {
  await until('its death', () => watch.isDead(), LAST_STEPS_MS).catch(() => product.kill())
  return product.exited
}

function textOf(answer: Answer | Error): string {
  return answer instanceof Error ? answer.message : answer.text
}

/** What has to be true however often the product died on the way. */
async function expectPaidOnce(
  harness: ProcessHarness,
  calls: TenantCalls,
  paid: { payment: SignedPayment; receivers: readonly Address[]; shares: readonly bigint[] },
): Promise<void> {
  const { payment, receivers, shares } = paid
  // A client whose connection broke asks again where its transaction was not taken; otherwise nobody has to do anything.
  if ((await calls.statusOf(payment.id))['signed_tx'] === null) await calls.execute(payment)
  const record = await calls.untilStatus(payment.id, 'success')
  expect(record).toMatchObject({ signed_tx: payment.raw, data_error: null })
  expect(harness.rpc.sendsOf(payment.raw)).toBe(1)
  expect(await Promise.all(receivers.map((receiver) => harness.chain.balanceOf('USDT', receiver)))).toEqual(shares)
  const isTold = () => harness.hooks.of(payment.id).some(({ type }) => type === 'payment.success')
  await until('the last webhook', isTold, TOLD_MS)
  const told = harness.hooks.of(payment.id)
  expect([...new Set(told.map(({ type }) => type))]).toEqual(PAID_TYPES)
  const sequences = told.map(({ sequence }) => sequence)
  expect(sequences).toEqual(sequences.toSorted((one, other) => one - other))
  expect(harness.hooks.refused).toEqual([])
}
