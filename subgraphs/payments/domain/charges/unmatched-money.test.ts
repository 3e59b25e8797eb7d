import { describe, expect, it } from 'vitest'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { balanceIn, openDifferences } from '../../fixtures/books.js'
import { payAndProcess, untilToldOf } from '../../fixtures/pix-payments.js'
import { resolveDifference } from '../reconciliation/resolve-difference.js'
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
    const pix = [
      { endToEndId: `E${'1'.repeat(31)}`, txid: 'a'.repeat(30), valor: '999.00', horario: '2026-01-01T00:00:00Z' },
    ]
    const { webhookUrl } = (await client.getWebhook(harness.railSettings.pix.key)) as { webhookUrl: string }
    const answer = await fetch(webhookUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ pix }),
    })
    expect(answer.ok).toBe(true)
    await harness.runJobs()
    expect(await suspense()).toBe(before)
  })
})
