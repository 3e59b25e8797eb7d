import { describe, expect, it } from 'vitest'
import { assertReadable } from '../harness/axe.js'
import { noBrowser, PHONE, usesBrowser } from '../harness/browser.js'
import { newOwner } from '../harness/console.js'
import { openAs } from '../harness/console-page.js'
import { startHarness } from '../harness/harness.js'
import { until } from '../harness/until.js'

const OPERATOR = 'ana@ops.example'
const harness = await startHarness({ OPERATOR_EMAILS: OPERATOR })
usesBrowser()

/** Has somebody unknown to an address invite it. */
async function inviteByStranger(email: string, tenantName: string): Promise<void> {
  const { browser } = await newOwner(harness, tenantName)
  const query = `mutation ($input: InvitePersonInput!) { invitePerson(input: $input) { errors { message } } }`
  const { body } = await browser.graphql(query, { input: { email, role: 'VIEWER' } })
  expect(body.data).toEqual({ invitePerson: { errors: [] } })
}

describe.skipIf(noBrowser)(`invitations at the console${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it('stand in no operator’s way, and are declined beside the pages', async () => {
    for (const name of ['One', 'Two']) await inviteByStranger(OPERATOR, name)
    const { page, part, assertClean } = await openAs(harness, OPERATOR, '/operators/alerts')
    await part('nav-treasury').click()
    await part('invitations').click()
    await assertReadable(page, 'the dialog of invitations')
    for (const left of [1, 0]) {
      await part('decline-invitation').first().click()
      await until(`${left} are left`, async () => (await part('invitation').count()) === left)
    }
    await part('invitations').waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).toBe('/console/operators/treasury')
    assertClean()
  })

  it('stand in no owner’s way, also on a phone; who accepts is at that tenant', async () => {
    const email = 'invited.owner@example.com'
    await inviteByStranger(email, 'The Other')
    const { page, part, assertClean } = await openAs(harness, email, '', { role: 'owner', ...PHONE })
    await part('tenant-title').waitFor()
    await assertReadable(page, 'a page beside an invitation')
    await part('invitations').click()
    await part('accept-invitation').click()
    await part('invitations').waitFor({ state: 'detached' })
    await until('the page is at the tenant', async () => (await part('tenant-title').textContent()) === 'The Other')
    assertClean()
  })

  it('are shown first to who has no tenant yet', async () => {
    const email = 'new.guest@example.com'
    await inviteByStranger(email, 'Host')
    const { part } = await openAs(harness, email)
    await part('accept-invitation').click()
    await part('tenant-title').waitFor()
    expect(await part('tenant-title').textContent()).toBe('Host')
  })
})
