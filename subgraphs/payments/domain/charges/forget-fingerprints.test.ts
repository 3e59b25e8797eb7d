import { expect, it } from 'vitest'
import { KEY_LIFE_MS } from '../../../../kernel/idempotency.js'
import { outcomeOf } from '../../../../test/harness/refusal.js'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { cardInput, cardPayment } from '../../fixtures/card-payments.js'
import type { Payment } from '../../store/payment.entity.js'
import { createTransaction } from '../create-transaction.js'
import { forgetFingerprints } from './forget-fingerprints.js'

const harness = await startPaymentsHarness()
const LIFE_SECONDS = KEY_LIFE_MS / 1000

const ask = (payment: Payment, fingerprint: string) => {
  const idempotency = { key: `of ${payment.id}`, fingerprint, onReplay: () => undefined }
  return createTransaction(harness.deps, { ...harness.tenant, idempotency }, cardInput(payment))
}

/** What is kept of the requests that have charged, after the periodic job has run. */
async function keptOf(...payments: Payment[]): Promise<unknown[]> {
  await forgetFingerprints(harness.deps)
  const sql = 'select request_fingerprint as kept from payments.charge where payment_id = $1'
  return (await Promise.all(payments.map(({ id }) => harness.query(sql, [id])))).flat().map(({ kept }) => kept)
}

it('what a request asked for, its card included, is forgotten once its idempotency key has lapsed, and not before', async () => {
  const first = await cardPayment(harness)
  await ask(first, 'of the first')
  await harness.advance(LIFE_SECONDS - 60)
  const second = await cardPayment(harness)
  await ask(second, 'of the second')
  expect(await keptOf(first, second)).toEqual(['of the first', 'of the second'])
  expect(await outcomeOf(ask(first, 'of another'))).toBe('idempotency_key_reused')
  await harness.advance(60 + 601)
  expect(await keptOf(first, second)).toEqual([null, 'of the second'])
  expect(await outcomeOf(ask(first, 'of the first'))).toBe('payment_already_processed')
})
