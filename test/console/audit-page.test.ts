import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { noBrowser, usesBrowser } from '../harness/browser.js'
import { openAs, type OpenedConsole, TRUSTED_ONLY } from '../harness/console-page.js'
import { startHarness } from '../harness/harness.js'

const OPERATOR = 'ana@ops.example'
const harness = await startHarness({ ...TRUSTED_ONLY, OPERATOR_EMAILS: OPERATOR })
const { tenant } = harness
usesBrowser()

/** The acts that are listed, as they are named. */
const operationsOn = async ({ page }: OpenedConsole): Promise<string[]> =>
  page.locator('[data-test="audit"] [data-test="row"] td:nth-child(2)').allInnerTexts()

async function download({ page, part }: OpenedConsole): Promise<string[]> {
  const [file] = await Promise.all([page.waitForEvent('download'), part('export').click()])
  expect(file.suggestedFilename()).toBe('audit-log.csv')
  return (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n')
}

describe.skipIf(noBrowser)(`the page of the audit log${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it('tells an owner who did what, keeps its filter and its place in the address, and saves a file of what it shows', async () => {
    // More than a page, and an act whose outcome nobody knows.
    await harness.sql(
      `insert into kernel.audit_entry (id, at, tenant_id, actor_kind, actor_id, operation, subjects, request_id)
          select 'cold' || n, now(), $1, 'key', 'ckey', '=oldAct', '{"orderId":"corder"}', 'r' || n
          from generate_series(1, 26) n`,
      [tenant.id],
    )
    const owner = await openAs(harness, 'auditor@shop.example', '/keys', { role: 'owner' })
    const { page, part, goTo, assertClean } = owner
    await part('new-key').click()
    await part('key-name').fill('my-secret-name')
    await part('key-all').check()
    await part('make-key').click()
    await part('key-kept').waitFor()
    await goTo('/audit')
    await part('audit').waitFor()
    const row = part('audit').locator('[data-test="row"]', { hasText: 'createApiKey' })
    expect(await row.innerText()).toContain('auditor@shop.example')
    expect(await row.innerText()).toContain('Done')
    expect(await part('audit').innerText()).not.toContain('my-secret-name')
    expect(await part('audit').getByText('Not known').count()).toBeGreaterThan(20)

    await part('next-page').click()
    await page.waitForURL(/after=/)
    await part('first-page').waitFor()
    await page.reload()
    await part('first-page').waitFor()
    await part('audit').waitFor()
    expect(new Set(await operationsOn(owner))).toEqual(new Set(['=oldAct']))

    await part('filter-operation').fill('createApiKey')
    await part('filter-operation').press('Enter')
    await page.waitForURL(/operation=createApiKey/)
    await row.waitFor()
    await page.reload()
    await row.waitFor()
    expect(await operationsOn(owner)).toEqual(['createApiKey'])
    const [heading = '', ...lines] = await download(owner)
    expect(heading.startsWith('id,at,tenantId,actorKind,actorId,actorEmail,operation,subjects,')).toBe(true)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(',PERSON,')

    await part('filter-clear').click()
    await part('filter-from').fill('2100-01-01')
    await part('no-entries').waitFor()
    await part('filter-from').fill('')
    await part('filter-to').fill('2100-01-01')
    await part('audit').getByText('=oldAct').first().waitFor()
    await part('audit').getByRole('button', { name: 'Only ckey' }).first().click()
    await page.waitForURL(/who=ckey/)
    await part('narrowed').getByText('ckey').waitFor()
    // A spreadsheet runs nothing of it.
    expect(await download(owner)).toContainEqual(expect.stringContaining(`,ckey,,'=oldAct,"{""orderId"":""corder""}",`))
    assertClean()
  })

  it('shows an operator what was done anywhere, and a click narrows it to a tenant', async () => {
    const operator = await openAs(harness, OPERATOR, '/operators/audit')
    const { page, part, assertClean } = operator
    await part('audit').getByText('signIn').first().waitFor()
    await part('audit')
      .getByRole('button', { name: `Only ${tenant.id}` })
      .first()
      .click()
    await page.waitForURL(new RegExp(`tenant=${tenant.id}`))
    await page.reload()
    await part('narrowed').getByText(tenant.id).waitFor()
    await part('audit').waitFor()
    expect(await part('audit').innerText()).not.toContain(OPERATOR)
    assertClean()
  })

  it('shows nothing to a viewer, who is told why', async () => {
    const { part, assertClean } = await openAs(harness, 'viewer@shop.example', '/audit', { role: 'viewer' })
    await part('refusal').getByText('Your role may not do this.').waitFor()
    expect(await part('audit').count()).toBe(0)
    assertClean()
  })
})
