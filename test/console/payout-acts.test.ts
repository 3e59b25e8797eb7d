import { beforeAll, describe, expect, it } from 'vitest'
import { findLastingPort } from '../../sandbox/processes/free-port.js'
import { noBrowser, usesBrowser } from '../harness/browser.js'
import { signIn } from '../harness/console.js'
import { openAs, type OpenedConsole } from '../harness/console-page.js'
import { startHarness } from '../harness/harness.js'
import { payPix } from '../harness/payment-page.js'
import { until } from '../harness/until.js'

const [ANA, SELLER] = ['ana@ops.example', 'seller@shop.example']
const harness = await startHarness({
  // Pix calls back to the address that the product says it has.
  PORT: String(await findLastingPort()),
  OPERATOR_EMAILS: ANA,
})
const { tenant } = harness
usesBrowser()

/** A payment whose Pix is paid and whose receiver waits for the agreed delay. */
async function delayedPayment(): Promise<string> {
  const terms = { payment_method_allowed: { pixcrypto: true } }
  const { id, charge } = await tenant.pixOfOrder(await tenant.createOrder(terms))
  await payPix(harness, charge.pixCopiaECola)
  await until('its payout waits', async () => {
    const rows = await harness.sql(`select 1 from payments.payout where payment_id = $1 and state = 'waiting'`, [id])
    return rows.length > 0
  })
  return id
}

/** The payout as a transaction leaves it that an operator has cancelled, and that can never land. */
async function heldByTransaction(id: string, account: unknown): Promise<string> {
  const batchId = `cbatch${id}`
  await harness.sql(
    `update payments.payout set state = 'held', hold_reason = 'cancelled', attempt = 1 where payment_id = $1`,
    [id],
  )
  await harness.sql(
    `insert into payments.batch_leg (batch_id, position, tenant_id, payment_id, leg, attempt, amount, outcome)
      select $2, 0, tenant_id, payment_id, leg, 1, amount, 'void' from payments.payout where payment_id = $1`,
    [id, batchId],
  )
  await harness.sql(
    `insert into payments.treasury_transaction (chain_name, hash, account, batch_id, version, raw, state, created_at, cancelled_at)
      select chain_name, 'hash-of-' || $1, $3, $2, 1, '0x', 'void', now(), now() from payments.payout where payment_id = $1`,
    [id, batchId, account],
  )
  return batchId
}

/** What a payment's page says of its only receiver. */
async function payoutShown(seller: OpenedConsole, id: string, state: string): Promise<string> {
  await seller.goTo(`/payments/${id}`)
  const shown = seller.part('receivers').locator(`[data-status="${state}"]`)
  await shown.waitFor()
  return seller.part('receivers').innerText()
}

beforeAll(async () => {
  if (noBrowser) return
  await harness.dashboard.addMember(tenant, SELLER, 'owner')
  const ana = await signIn(harness, ANA)
  const delay = 'mutation ($id: ID!) { setPayoutDelay(tenantId: $id, rail: PIX, hours: 24) { errors { code } } }'
  const { body } = await ana.graphql(delay, { id: tenant.id })
  expect(body.data).toEqual({ setPayoutDelay: { errors: [] } })
})

describe.skipIf(noBrowser)(`what an operator decides at the console${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it('about transactions has payouts made, refused or counted as paid, and the tenant sees where each stands', async () => {
    const operator = await signIn(harness, ANA)
    const { body } = await operator.graphql('{ treasury { chainName account } }')
    const [treasury] = body.data?.['treasury'] as { account: string }[]
    const seller = await openAs(harness, SELLER)
    await seller.part('tenant-title').waitFor()
    const ana = await openAs(harness, ANA, '/operators/payouts')
    await ana.part('nav-alerts').waitFor({ state: 'attached' })

    const decided = async (id: string, action: string, outcome: string): Promise<string> => {
      const batchId = await heldByTransaction(id, treasury?.account)
      await ana.goTo('/operators/payouts')
      const row = ana.page.locator(`[data-test="payouts"] [data-id="${id} 0"]`)
      await row.getByRole('button').click()
      await ana.part('action').selectOption(action)
      await ana.part('reason').fill(`looked at it: ${action}`)
      await ana.part('do').click()
      await ana.part('said').getByText('It is decided.').waitFor()
      const decision = ana.page.locator('[data-test="decisions"] [data-test="row"]', { hasText: batchId })
      // A worker carries it out.
      await until('it is carried out', async () => {
        await ana.goTo('/operators/decisions')
        await decision.waitFor()
        return (await decision.locator(`[data-status="${outcome}"]`).count()) > 0
      })
      expect(await decision.innerText()).toContain(`looked at it: ${action}`)
      return decision.innerText()
    }

    const retried = await delayedPayment()
    expect(await payoutShown(seller, retried, 'HELD')).toContain('waits for the agreed delay')
    expect(await decided(retried, 'RETRY', 'DONE')).toContain('1 payouts have left it')
    await tenant.untilStatus(retried, 'success')
    expect(await payoutShown(seller, retried, 'PAID')).toMatch(/0x[\da-f]{6}…/)

    const resolved = await delayedPayment()
    expect(await decided(resolved, 'RESOLVE', 'DONE')).toContain('1 payouts count as paid')
    await tenant.untilStatus(resolved, 'success')
    expect(await payoutShown(seller, resolved, 'PAID')).not.toContain('0x0')

    const canceled = await delayedPayment()
    expect(await decided(canceled, 'CANCEL', 'REFUSED')).toContain('there is nothing to cancel')
    expect(await payoutShown(seller, canceled, 'HELD')).toContain('canceled')
    const [kept] = await harness.sql('select state from payments.payout where payment_id = $1', [canceled])
    expect(kept).toEqual({ state: 'held' })
    ana.assertClean()
    seller.assertClean()
  })

  it('about a payout that waits for a pause alone is nothing: what leads on is where the pause is lifted', async () => {
    const id = await delayedPayment()
    const ana = await openAs(harness, ANA, '/operators/treasury')
    await ana.part('pause').click()
    await ana.part('reason').fill('the node is odd')
    await ana.part('do').click()
    await ana.part('pauses').getByText('the node is odd').waitFor()
    await harness.sql(
      `update payments.payout set hold_reason = null, not_before = now() - interval '1 hour' where payment_id = $1`,
      [id],
    )
    await ana.goTo('/operators/payouts')
    const row = ana.page.locator(`[data-test="payouts"] [data-id="${id} 0"]`)
    await row.locator('[data-why="PAUSED"]').waitFor()
    expect(await row.getByRole('button').count()).toBe(0)
    await row.locator('[data-test="lift-pause"]').click()
    await ana.part('resume').click()
    await ana.part('confirm').click()
    await ana.part('pauses').getByText('the node is odd').waitFor({ state: 'detached' })
    await tenant.untilStatus(id, 'success')
    ana.assertClean()
  })

  it('about a difference closes it for a reason, and books whose the money is; without that it stays open', async () => {
    await harness.sql(
      `insert into payments.difference (kind, subject, scope, actual, currency, details, found_at, seen_at)
          values ('unmatched_money', 'pix:E2E-1', 'provider:pix', '12.50', 'BRL', 'a Pix of nobody', now(), now())`,
    )
    const { page, part, assertClean } = await openAs(harness, ANA, '/operators/differences')
    const row = page.locator('[data-test="differences"] [data-test="row"]', { hasText: 'pix:E2E-1' })
    await row.getByRole('button').click()
    await part('reason').fill('the payer was paid back by hand')
    await part('do').click()
    await part('refusal').getByText('whose is the money').waitFor()
    const lines = () =>
      harness.sql(
        `select account, debit::float8 as debit from payments.ledger_line where entry like
          'explained:' || (select id from payments.difference where subject = 'pix:E2E-1') || ':%' order by account`,
      )
    expect(await lines()).toEqual([])
    await part('owner').selectOption('OWNER')
    await part('do').click()
    await row.waitFor({ state: 'detached' })
    expect(await lines()).toMatchObject([{ account: 'owner' }, { account: 'suspense:pix' }])
    await part('filter-state').selectOption('CLOSED')
    await row.getByText('the payer was paid back by hand').waitFor()
    assertClean()
  })
})
