import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { assertAccessible } from '../harness/axe.js'
import { noBrowser, usesBrowser } from '../harness/browser.js'
import { openAs, signInAt, type OpenedConsole } from '../harness/console-page.js'
import { startHarness } from '../harness/harness.js'
import { until } from '../harness/until.js'

const OPERATOR = 'ana@ops.example'
const harness = await startHarness({ OPERATOR_EMAILS: OPERATOR })
const { tenant } = harness
usesBrowser()

const partOf = (page: Page, name: string) => page.locator(`[data-test="${name}"]`)
const shownIn = (page: Page): Promise<string> => partOf(page, 'tenant-switch').inputValue()

async function choose(page: Page, id: string): Promise<void> {
  await partOf(page, 'tenant-switch').selectOption(id)
  await until('the tab shows it', async () => (await shownIn(page)) === id)
  await partOf(page, 'tenant-switch').and(page.locator(':enabled')).waitFor()
}

/** Opens the same address in a fresh tab. */
async function openTab({ context, page }: OpenedConsole): Promise<Page> {
  const tab = await context.newPage()
  await tab.goto(page.url())
  await partOf(tab, 'tenant-switch').waitFor()
  return tab
}

/** Ends the session in a tab of its own. */
async function signOutElsewhere({ context, page }: OpenedConsole): Promise<void> {
  const tab = await context.newPage()
  await tab.goto(page.url())
  await partOf(tab, 'sign-out').click()
  await partOf(tab, 'email').waitFor()
  expect(await partOf(tab, 'signed-out').count()).toBe(0)
  await tab.close()
}

async function invite(page: Page, email: string): Promise<void> {
  await partOf(page, 'invite').click()
  await partOf(page, 'invite-email').fill(email)
  await partOf(page, 'invite-do').click()
  await page.locator('[data-test="people"] [data-test="row"]', { hasText: email }).waitFor()
}

describe.skipIf(noBrowser)(`two tabs of the console${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it('act each for the tenant that it shows, reloaded or not, and a fresh one begins with the tenant chosen last', async () => {
    const email = 'two.tabs@example.com'
    const other = await harness.dashboard.newTenant()
    await harness.dashboard.addMember(other, email, 'owner')
    const opened = await openAs(harness, email, '/people', { role: 'owner' })
    const { page: first } = opened
    await partOf(first, 'people').waitFor()
    await choose(first, tenant.id)
    const second = await openTab(opened)
    expect(await shownIn(second)).toBe(tenant.id)
    await choose(second, other.id)

    await invite(first, 'of.the.first@example.com')
    await invite(second, 'of.the.second@example.com')
    const invited = await harness.sql(
      `select email, tenant_id from accounts.invitation where email like 'of.the.%' order by email`,
    )
    expect(invited).toEqual([
      { email: 'of.the.first@example.com', tenant_id: tenant.id },
      { email: 'of.the.second@example.com', tenant_id: other.id },
    ])

    await Promise.all([first.reload(), second.reload()])
    await Promise.all([first, second].map((page) => partOf(page, 'people').waitFor()))
    expect([await shownIn(first), await shownIn(second)]).toEqual([tenant.id, other.id])
    expect(await shownIn(await openTab(opened))).toBe(other.id)
    opened.assertClean()
  })

  it('show each the payments of its own tenant, live and as a file', async () => {
    const email = 'two.lists@example.com'
    const other = await harness.dashboard.newTenant()
    await harness.dashboard.addMember(other, email, 'owner')
    const opened = await openAs(harness, email, '', { role: 'owner' })
    const { page: first } = opened
    await partOf(first, 'tenant-switch').waitFor()
    await choose(first, tenant.id)
    const second = await openTab(opened)
    await choose(second, other.id)
    // By now what the server remembers of the session is out of date, as the second tab has chosen since.
    harness.clock.advance(5_000)
    const id = await tenant.register()
    await tenant.post(`/payment/${id}/cancel`)
    const row = (page: Page) => page.locator(`[data-test="payments"] [data-id="${id}"]`)
    await row(first).waitFor()
    const [file] = await Promise.all([first.waitForEvent('download'), partOf(first, 'export').click()])
    expect(await readFile(await file.path(), 'utf8')).toContain(id)
    await second.reload()
    await partOf(second, 'tenant-switch').waitFor()
    expect(await shownIn(second)).toBe(other.id)
    expect(await row(second).count()).toBe(0)
    opened.assertClean()
  })

  it('are left with a choice, and not with another tenant, where the one that is shown is gone', async () => {
    const email = 'gone.tab@example.com'
    const [gone, other] = [await harness.dashboard.newTenant(), await harness.dashboard.newTenant()]
    for (const one of [gone, other]) await harness.dashboard.addMember(one, email, 'owner')
    const opened = await openAs(harness, email, '/people')
    const { page: first } = opened
    await partOf(first, 'tenant-switch').waitFor()
    await choose(first, gone.id)
    const second = await openTab(opened)
    await choose(second, other.id)
    await harness.dashboard.disable(gone)
    harness.clock.advance(5_000)
    await first.reload()
    await partOf(first, 'tenant').waitFor()
    expect(await partOf(first, 'tenant-title').count()).toBe(0)
    await partOf(first, 'tenant').click()
    await partOf(first, 'tenant-title').waitFor()
    await second.reload()
    await partOf(second, 'people').waitFor()
  })

  it('are left with a choice too, and not with the deployment, where they are an operator’s', async () => {
    const gone = await harness.dashboard.newTenant()
    await harness.dashboard.addMember(gone, OPERATOR, 'owner')
    const { page } = await openAs(harness, OPERATOR)
    await partOf(page, 'tenant-switch').waitFor()
    await choose(page, gone.id)
    await harness.dashboard.disable(gone)
    harness.clock.advance(5_000)
    const asked: (string | undefined)[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/graphql')) asked.push(request.headers()['x-console-tenant'])
    })
    // A second look finds the same as the first.
    for (let look = 0; look < 2; look += 1) {
      await page.reload()
      await partOf(page, 'tenant').waitFor()
      expect(await partOf(page, 'tenant-title').count()).toBe(0)
    }
    expect(asked).not.toContain('deployment')
    await partOf(page, 'tenant').click()
    await partOf(page, 'tenant-title').waitFor()
    await page.reload()
    await partOf(page, 'tenant-title').waitFor()
  })

  it('of which one signs out: the other says so, and has what was typed there once the same person is back, and nobody else', async () => {
    const [email, other] = ['typing@example.com', 'somebody.else@example.com']
    await harness.dashboard.addMember(tenant, other, 'owner')
    const opened = await openAs(harness, email, '/branding', { role: 'owner' })
    const { page: first, part } = opened
    for (const [comesBack, shown] of [
      [email, 'Typed before'],
      [other, ''],
    ] as const) {
      await part('branding-name').fill('Typed before')
      await signOutElsewhere(opened)
      await part('branding-save').click()
      await part('signed-out').getByText('You were signed out.').waitFor()
      await assertAccessible(first)
      await signInAt(opened, harness, comesBack)
      await part('branding-name').waitFor()
      expect(await part('branding-name').inputValue()).toBe(shown)
      expect(await part('signed-out').count()).toBe(0)
    }
  })

  it('of which one signs out: a dialog in the other has what was typed in it once the same person is back, and nobody else', async () => {
    const [email, other] = ['inviting@example.com', 'not.inviting@example.com']
    await harness.dashboard.addMember(tenant, other, 'owner')
    const opened = await openAs(harness, email, '/people', { role: 'owner' })
    const { part } = opened
    await part('invite').click()
    await part('invite-email').fill('half.typed@exa')
    await part('role').selectOption('SUPPORT')
    await signOutElsewhere(opened)
    await part('invite-email').fill('half.typed@example.com')
    await part('invite-do').click()
    await part('signed-out').waitFor()
    await signInAt(opened, harness, email)
    await part('invite-email').waitFor()
    expect(await part('invite-email').inputValue()).toBe('half.typed@example.com')
    expect(await part('role').inputValue()).toBe('SUPPORT')
    // Nothing was done by itself.
    expect(await harness.sql("select 1 from accounts.invitation where email like 'half.typed%'")).toEqual([])

    await signOutElsewhere(opened)
    await part('invite-do').click()
    await part('signed-out').waitFor()
    await signInAt(opened, harness, other)
    await part('people').waitFor()
    expect(await part('invite-email').count()).toBe(0)
    await part('invite').click()
    expect(await part('invite-email').inputValue()).toBe('')
  })

  it('of which one signs out: the other keeps neither a key that was just made nor a code', async () => {
    const email = 'secrets@example.com'
    const opened = await openAs(harness, email, '/keys', { role: 'owner' })
    const { part } = opened
    await part('new-key').click()
    await part('key-name').fill('Books')
    await part('key-all').check()
    await part('make-key').click()
    await part('made-key').waitFor()
    await signOutElsewhere(opened)
    await part('key-kept').click()
    await part('new-key').click()
    await part('key-name').fill('Shop')
    await part('key-all').check()
    await part('make-key').click()
    await part('signed-out').waitFor()
    await signInAt(opened, harness, email)
    expect(await part('key-name').inputValue()).toBe('Shop')
    expect(await part('made-key').count()).toBe(0)

    harness.clock.advance(11 * 60_000)
    await part('make-key').click()
    await part('code').waitFor()
    await part('code').fill('12345678')
    await signOutElsewhere(opened)
    await part('prove').click()
    await part('signed-out').waitFor()
    await signInAt(opened, harness, email)
    expect(await part('key-name').inputValue()).toBe('Shop')
    expect(await part('code').count()).toBe(0)
  })
})
