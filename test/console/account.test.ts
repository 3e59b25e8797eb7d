import { describe, expect, it } from 'vitest'
import { noBrowser, usesBrowser } from '../harness/browser.js'
import { assertPagesReadable, openAs, openAsOwner, proveAt } from '../harness/console-page.js'
import { newMember } from '../harness/console.js'
import { startHarness } from '../harness/harness.js'

const harness = await startHarness({}, { hasMarket: () => true })
const { tenant } = harness
usesBrowser()

const PAGES = {
  '/people': 'people',
  '/branding': 'branding-name',
  '/settings': 'account',
  '/sessions': 'sessions',
  '/audit': 'audit',
  '/subscriptions': 'no-subscriptions',
  '/verifications': 'no-verifications',
  '/yields': 'yields',
}

/** A key that somebody makes who has just become a developer of the tenant. */
async function keyMadeBy(email: string): Promise<string> {
  const developer = await newMember(harness, 'developer', email)
  const made = await developer.graphql(
    'mutation { createApiKey(input: { name: "shop", scopes: ["orders:read"] }) { createdApiKey { key } } }',
  )
  return (made.body.data?.['createApiKey'] as { createdApiKey: { key: string } }).createdApiKey.key
}

describe.skipIf(noBrowser)(`the pages of an account${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it.each(['light', 'dark'] as const)('have nothing that axe finds wrong: %s', async (colorScheme) => {
    const opened = await openAsOwner(harness, '', { colorScheme, locale: 'pt-BR' })
    await assertPagesReadable(opened, PAGES)
    opened.assertClean()
  })

  it('invite a person after a proof, give another role, and remove the person after a question', async () => {
    const { email, page, part, assertClean } = await openAsOwner(harness, '/people')
    // Signing in was a proof; ten minutes later another one is wanted.
    harness.clock.advance(11 * 60_000)
    await part('invite').click()
    await part('invite-email').fill('helper@example.com')
    await part('role').selectOption('SUPPORT')
    await part('invite-do').click()
    await proveAt({ part }, harness, email)
    const row = page.locator('[data-test="people"] [data-test="row"]', { hasText: 'helper@example.com' })
    await row.waitFor()
    expect(await row.innerText()).toContain('Support')
    expect(await row.innerText()).toContain('Invited until')
    await row.locator('[data-test="resend"]').click()
    await part('said').getByText('helper@example.com').waitFor()
    await row.locator('[data-test="change-role"]').click()
    await part('role').selectOption('VIEWER')
    await part('role-do').click()
    await row.getByText('Viewer').waitFor()
    await row.locator('[data-test="remove"]').click()
    await part('confirm').click()
    await row.waitFor({ state: 'detached' })
    assertClean()
  })

  it('end the keys that a person has made with the person, where the owner says so', async () => {
    const opened = await openAsOwner(harness, '/people')
    const { page, part, assertClean } = opened
    for (const [name, scoped] of [
      ['kept', false],
      ['ended', true],
    ] as const) {
      const email = `${name}@example.com`
      const key = await keyMadeBy(email)
      await page.reload()
      const row = page.locator('[data-test="people"] [data-test="row"]', { hasText: email })
      await row.locator('[data-test="remove"]').click()
      await part('revoke-keys').waitFor()
      if (scoped) await part('revoke-keys').check()
      await part('confirm').click()
      await row.waitFor({ state: 'detached' })
      harness.clock.advance(5_000)
      expect((await harness.rest('GET', '/order/list', { as: key })).status).toBe(scoped ? 401 : 200)
    }
    assertClean()
  })

  it('show where a person is signed in, and end it there, and everywhere', async () => {
    // What the page asks for again once its own session has ended is refused.
    const expected = /status of 40[13]/
    const { email, page, part, assertClean } = await openAsOwner(harness, '/sessions', { expected })
    const elsewhere = await openAs(harness, email, '', { userAgent: 'Elsewhere/1.0' })
    await elsewhere.part('tenant-title').waitFor()
    await page.reload()
    await part('this-session').waitFor()
    const row = page.locator('[data-test="sessions"] [data-test="row"]', { hasText: 'Elsewhere' })
    expect(await row.locator('[data-test="this-session"]').count()).toBe(0)
    await row.getByRole('button').click()
    await row.waitFor({ state: 'detached' })
    harness.clock.advance(5_000)
    await elsewhere.page.reload()
    await elsewhere.part('email').waitFor()
    await part('end-all').click()
    await part('confirm').click()
    await part('email').waitFor()
    await page.reload()
    await part('email').waitFor()
    assertClean()
  })

  it('set how much a payer may fall short, and refuse what is too much with a reason', async () => {
    const { part } = await openAsOwner(harness, '/settings')
    await part('tolerance').fill('2,5')
    await part('tolerance-save').click()
    await part('said').waitFor()
    const { body } = await harness.graphql('{ underpaymentTolerance }', {}, { as: tenant })
    expect(body.data).toEqual({ underpaymentTolerance: '2.5' })
    await part('tolerance').fill('60')
    await part('tolerance-save').click()
    await part('refusal').waitFor()
  })
})
