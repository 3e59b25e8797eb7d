import { describe, expect, it } from 'vitest'
import { findLastingPort } from '../../sandbox/processes/free-port.js'
import { atEnd } from '../harness/at-end.js'
import { noBrowser, usesBrowser } from '../harness/browser.js'
import { openAs } from '../harness/console-page.js'
import { passTime, postJson } from '../harness/control.js'
import { startHarness } from '../harness/harness.js'
import { until } from '../harness/until.js'

const ANA = 'ana@ops.example'
const harness = await startHarness({
  // Pix calls back to the address that the product says it has.
  PORT: String(await findLastingPort()),
  OPERATOR_EMAILS: ANA,
})
const { tenant, chain } = harness
usesBrowser()

const GAS = { currency: 'POL' }

const stateOf = async (id: string) =>
  (await harness.sql('select state, hold_reason from payments.payout where payment_id = $1', [id]))[0]

/** The accounts that a payment's entries leave uneven. */
const uneven = (id: string) =>
  harness.sql(
    `select account, currency from payments.ledger_line where payment_id = $1
      group by account, currency having sum(debit - credit) <> 0 order by currency, account`,
    [id],
  )

atEnd(() => chain.client.setAutomine(true))

describe.skipIf(noBrowser)(`a payout on its way${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it('is cancelled by an operator, is paid by nothing afterwards, and is booked back once the payer has the money again', async () => {
    const receiver = chain.newReceiver()
    const order = await tenant.createOrder({
      payment_method_allowed: { pixcrypto: true },
      split_payment_config: [{ receiver_wallet: receiver, receiver_percent: 100 }],
    })
    const { id, charge } = await tenant.pixOfOrder(order)
    // No block takes the transaction.
    await chain.client.setAutomine(false)
    const { endToEndId } = await postJson(`${harness.pixUrl}/sandbox/cob/${charge.txid}/pay`)
    await until('a transaction is on its way', async () => (await stateOf(id))?.['state'] === 'sending')
    const opened = await openAs(harness, ANA, '/operators/payouts')
    const { page, part, goTo, assertClean } = opened
    const sent = page.locator(`[data-test="sent-payouts"] [data-id="${id} 0"]`)
    await sent.locator('[data-why="SENDING"]').waitFor()
    await sent.getByRole('button').click()
    expect(await part('action').locator('option').allInnerTexts()).toEqual(['Cancel'])
    await part('reason').fill('a wrong price')
    await part('do').click()
    await part('said').getByText('It is decided.').waitFor()
    const decision = page.locator('[data-test="decisions"] [data-test="row"]', { hasText: 'a wrong price' })
    await until('it is carried out', async () => {
      await goTo('/operators/decisions')
      await decision.waitFor()
      return (await decision.locator('[data-status="DONE"]').count()) > 0
    })
    // The one that moves nothing lands, and its block is final.
    await chain.client.mine({ blocks: 300 })
    await until('the payout is held', async () => {
      await passTime(harness, 5)
      return (await stateOf(id))?.['state'] === 'held'
    })
    await goTo('/operators/payouts')
    const row = page.locator(`[data-test="payouts"] [data-id="${id} 0"]`)
    await row.locator('[data-why="CANCELLED"]').waitFor()
    expect(await sent.count()).toBe(0)
    expect(await chain.balanceOf('USDT', receiver)).toBe(0n)

    expect(await uneven(id)).toMatchObject([
      { currency: 'BRL' },
      { currency: 'BRL' },
      GAS,
      GAS,
      { currency: 'USDT' },
      { currency: 'USDT' },
    ])
    await postJson(`${harness.pixUrl}/sandbox/pix/${String(endToEndId)}/med`)
    await tenant.untilStatus(id, 'error')
    expect(await stateOf(id)).toMatchObject({ state: 'cancelled' })
    // What the empty one has cost stays.
    expect(await uneven(id)).toEqual([
      { account: 'fees:polygon', ...GAS },
      { account: 'treasury:polygon', ...GAS },
    ])
    await goTo('/operators/payouts')
    await part('no-payouts').waitFor()
    // Nothing is left that could pay: the next payment's transaction has the next nonce.
    await chain.client.setAutomine(true)
    await passTime(harness, 600)
    await chain.client.mine({ blocks: 300 })
    expect(await chain.balanceOf('USDT', receiver)).toBe(0n)
    assertClean()
  })
})
