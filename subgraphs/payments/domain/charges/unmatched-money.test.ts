import { describe, expect, it } from 'vitest'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { balanceIn, openDifferences } from '../../fixtures/books.js'
import { withPixAdapter } from '../../fixtures/pix-adapter.js'
import { chargedPayment, payAndProcess, untilToldOf } from '../../fixtures/pix-payments.js'
import { receiptsOf } from '../../fixtures/rows.js'
import type { ProcessorAdapter } from '../../rails/processor-adapter.js'
import { resolveDifference } from '../reconciliation/resolve-difference.js'
import { syncReceived } from '../reconciliation/sync-received.js'
import { createPixClient } from '../../rails/pix/client.js'

const harness = await startPaymentsHarness()
const client = createPixClient({
  settings: harness.railSettings.pix,
  clock: harness.clock,
  log: harness.options.log,
  timeoutMs: 5_000,
})

/** Another system charges for the same Pix key, and its payer pays. Gives the movement's id. */
async function payElsewhere(valor: string): Promise<string> {
  const txid = `elsewhere${Date.now()}0000`
  await client.putCob(txid, {
    calendario: { expiracao: 3600 },
    valor: { original: valor },
    chave: harness.railSettings.pix.key,
  })
  return payAndProcess(harness, txid)
}

/** A callback about a Pix, and what follows from it. */
async function tell(pix: object): Promise<void> {
  const { webhookUrl } = (await client.getWebhook(harness.railSettings.pix.key)) as { webhookUrl: string }
  const answer = await fetch(webhookUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ pix: [pix] }),
  })
  expect(answer.ok).toBe(true)
  await harness.runJobs()
}

/** The list of a provider that names no charges in it. */
function withoutCharges(list: ProcessorAdapter['listReceived']): NonNullable<ProcessorAdapter['listReceived']> {
  return async function* (window) {
    for await (const { received } of list?.(window) ?? []) yield { reference: undefined, received }
  }
}

const suspense = () => balanceIn(harness.deps, 'suspense:pix', 'BRL')
const alertsOf = async (id: string) =>
  (await harness.deps.alerts.list()).filter(({ subject }) => subject === `unmatched_money:pix:${id}`)
const isOpen = async (id: string) =>
  (await openDifferences(harness.deps)).some(({ subject }) => subject === `pix:${id}`)

describe('money that belongs to no charge', () => {
  it('stands in suspense with an alert until it has gone back, booked once whatever is told again', async () => {
    const id = await payElsewhere('12.34')
    expect(await suspense()).toBe('-12.34')
    expect(await alertsOf(id)).toHaveLength(1)
    expect(await isOpen(id)).toBe(true)
    await harness.advance(60)
    await harness.pixControl(`/pix/${id}/med`, { valor: '2.34' })
    await untilToldOf(harness, id, 2)
    await harness.runJobs()
    expect(await suspense()).toBe('-10')
    expect(await alertsOf(id)).toMatchObject([{ details: expect.stringContaining('10 instead of 0 BRL') as string }])
    await harness.pixControl(`/pix/${id}/med`)
    await untilToldOf(harness, id, 3)
    await harness.runJobs()
    expect(await suspense()).toBe('0')
    expect(await isOpen(id)).toBe(false)
    expect(await alertsOf(id)).toEqual([])
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('is asked about again where it goes back after somebody has said whose it is', async () => {
    const id = await payElsewhere('50.00')
    const resolve = async () => {
      const found = (await openDifferences(harness.deps)).find(({ subject }) => subject === `pix:${id}`)
      await resolveDifference(harness.deps, { id: found?.id ?? '', reason: 'ours', by: 'ana', as: 'owner' })
      return found?.actual
    }
    expect(await resolve()).toBe('50')
    expect(await suspense()).toBe('0')
    await harness.pixControl(`/pix/${id}/med`, { valor: '20.00' })
    await untilToldOf(harness, id, 2)
    await harness.runJobs()
    expect(await suspense()).toBe('20')
    expect(await alertsOf(id)).toHaveLength(1)
    expect(await resolve()).toBe('-20')
    expect(await suspense()).toBe('0')
    await harness.pixControl(`/pix/${id}/med`)
    await untilToldOf(harness, id, 3)
    await harness.runJobs()
    expect(await resolve()).toBe('-30')
    expect(await suspense()).toBe('0')
    expect(await balanceIn(harness.deps, 'owner', 'BRL')).toBe('0')
    expect(await isOpen(id)).toBe(false)
  })

  it('is nobody’s by a callback alone: what the provider does not show is not booked', async () => {
    const before = await suspense()
    const endToEndId = `E${'1'.repeat(31)}`
    await tell({ endToEndId, txid: 'a'.repeat(30), valor: '999.00', horario: '2026-01-01T00:00:00Z' })
    expect(await suspense()).toBe(before)
  })
})

describe('money of a charge that is told of or listed without it', () => {
  /** A charge that was paid without a callback. */
  async function paidSilently() {
    const { payment, txid } = await chargedPayment(harness)
    await harness.pixControl('/callbacks', { mode: 'drop' })
    const { endToEndId } = await harness.pixControl(`/cob/${txid}/pay`)
    await harness.pixControl('/callbacks', { mode: 'deliver' })
    return { payment, txid, endToEndId: String(endToEndId) }
  }
  const ACCEPTED = [{ outcome: 'accepted', reason: null }]

  it('is the charge’s where the provider names it with the money, though its callback did not', async () => {
    const before = await suspense()
    const { payment, endToEndId } = await paidSilently()
    await tell({ endToEndId, valor: '100.00', horario: harness.clock.now().toISOString() })
    expect(await receiptsOf(harness, payment)).toEqual(ACCEPTED)
    expect(await suspense()).toBe(before)
    expect(await isOpen(endToEndId)).toBe(false)
  })

  it('is not booked a second time where a list does not name the charge', async () => {
    const before = await suspense()
    const { payment, endToEndId } = await paidSilently()
    await syncReceived(harness.deps)
    expect(await receiptsOf(harness, payment)).toEqual(ACCEPTED)
    await syncReceived(withPixAdapter(harness, ({ listReceived }) => ({ listReceived: withoutCharges(listReceived) })))
    expect(await suspense()).toBe(before)
    expect(await isOpen(endToEndId)).toBe(false)
  })
})
