import { beforeEach, describe, expect, it } from 'vitest'
import { protocolError } from '../../../../kernel/provider-error.js'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { withPixAdapter } from '../../fixtures/pix-adapter.js'
import { chargedPayment, paidPayment } from '../../fixtures/pix-payments.js'
import { reconcile } from './reconcile-jobs.js'

const harness = await startPaymentsHarness()
const GONE = [`E${'8'.repeat(31)}`, `E${'9'.repeat(31)}`] as const

beforeEach(async () => {
  await harness.query('update payments.difference set closed_at = now() where closed_at is null')
  // What earlier tests have left is not compared again.
  await harness.advance(130 * 86_400)
})

/** Compares with the provider, of which nobody can read some charges. */
async function compareAround(...unreadable: readonly string[]): Promise<void> {
  const deps = withPixAdapter(harness, ({ retrieve }) => ({
    retrieve: (reference) =>
      unreadable.includes(reference) ? Promise.reject(protocolError('pix', 'not a charge')) : retrieve(reference),
  }))
  await reconcile(deps, { rail: 'pix' })
}

/** What differs now, by kind and movement. */
async function differing(): Promise<string[]> {
  const rows = await harness.query(
    `select kind || ' ' || split_part(subject, ':', 3) as name from payments.difference
      where scope = 'provider:pix' and closed_at is null order by name`,
  )
  return rows.map(({ name }) => String(name))
}

/** Books money for the charge of another movement that its provider does not show. */
async function bookUnshown(unshown: string, beside: string): Promise<void> {
  await harness.advance(1)
  await harness.query(
    `insert into payments.receipt (tenant_id, rail, id, charge_id, payment_id, currency, amount, received_at, outcome, reason, created_at)
      select tenant_id, rail, $1, charge_id, payment_id, currency, amount, $3, 'returned', 'paid_twice', created_at
        from payments.receipt where id = $2`,
    [unshown, beside, harness.clock.now()],
  )
}

describe('a charge that nobody can read at its provider', () => {
  it('keeps no other from being looked for that the provider does not list, and is looked for again', async () => {
    const [first, second] = [await paidPayment(harness), await paidPayment(harness)]
    await bookUnshown(GONE[0], first.endToEndId)
    await bookUnshown(GONE[1], second.endToEndId)
    await expect(compareAround(first.txid)).rejects.toMatchObject({ kind: 'protocol' })
    expect(await differing()).toEqual([`unknown_receipt ${GONE[1]}`])
    await compareAround()
    expect(await differing()).toEqual(GONE.map((id) => `unknown_receipt ${id}`))
    await harness.query(`delete from payments.receipt where reason = 'paid_twice'`)
  })

  it('keeps none from being looked for either where it is listed itself', async () => {
    const paid = await paidPayment(harness)
    await bookUnshown(GONE[0], paid.endToEndId)
    await harness.pixControl('/callbacks', { mode: 'drop' })
    const untold = await chargedPayment(harness)
    await harness.pixControl(`/cob/${untold.txid}/pay`)
    await harness.pixControl('/callbacks', { mode: 'deliver' })
    await expect(compareAround(untold.txid)).rejects.toMatchObject({ kind: 'protocol' })
    expect(await differing()).toContain(`unknown_receipt ${GONE[0]}`)
    await harness.query(`delete from payments.receipt where reason = 'paid_twice'`)
  })

  it.each([0, 1])('keeps nothing that differed before from being looked at again (%s)', async (place) => {
    const paid = [await paidPayment(harness), await paidPayment(harness)]
    const all = paid.map(({ endToEndId }) => endToEndId)
    await harness.query(`update payments.receipt set amount = '101' where id = any($1)`, [all])
    await compareAround()
    await harness.query(`update payments.receipt set amount = '100' where id = any($1)`, [all])
    // In no list any more.
    await harness.advance(4 * 86_400)
    await expect(compareAround(paid[place]?.txid ?? '')).rejects.toMatchObject({ kind: 'protocol' })
    expect(await differing()).toEqual([`wrong_amount ${all[place]}`])
    await compareAround()
    expect(await differing()).toEqual([])
  })
})
