import { describe, expect, it } from 'vitest'
import { noBrowser, usesBrowser } from '../harness/browser.js'
import { openAs, type OpenedConsole } from '../harness/console-page.js'
import { signIn } from '../harness/console.js'
import { startHarness } from '../harness/harness.js'

const harness = await startHarness()
const { tenant } = harness
usesBrowser()
/** One red pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
const BRANDING = '{ branding { displayName accentColor logo embedOrigins } }'

async function openBranding(role: 'owner' | 'developer'): Promise<OpenedConsole> {
  const opened = await openAs(harness, `${role}@shop.example`, '/branding', { role })
  await opened.part('branding-name').waitFor()
  return opened
}

/** What another owner does meanwhile: the form on the screen knows nothing of it. */
async function makeSupport(email: string): Promise<void> {
  await harness.dashboard.addMember(tenant, 'other@shop.example', 'owner')
  const owner = await signIn(harness, 'other@shop.example')
  const people = (await owner.graphql('{ people { id email } }')).body.data?.['people'] as {
    id: string
    email: string
  }[]
  const id = people.find((person) => person.email === email)?.id
  const change = 'mutation ($id: ID!) { changePersonRole(id: $id, role: SUPPORT) { errors { code } } }'
  expect((await owner.graphql(change, { id })).body.data).toEqual({ changePersonRole: { errors: [] } })
  // A session is kept for so long before it is asked for again.
  harness.clock.advance(5_000)
}

const savedNow = async () => (await harness.graphql(BRANDING, {}, { as: tenant })).body.data?.['branding']

describe.skipIf(noBrowser)(`the form of the payment page${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it('shows what payers will see while it is typed, saves it, and payers see that', async () => {
    const { page, part, context, assertClean } = await openBranding('owner')
    const head = part('preview-light')
    const background = (): Promise<string> =>
      head.locator('[data-test="preview-pay"]').evaluate((shown) => getComputedStyle(shown).backgroundColor)
    await part('branding-name').fill('Coffee & Co')
    await head.getByText('Coffee & Co', { exact: true }).waitFor()
    // Too pale to be read on white: the preview has what the page makes of it.
    await part('branding-color').fill('#ffe600')
    expect(await background()).not.toBe('rgb(255, 230, 0)')
    await part('branding-color').fill('#b3261e')
    expect(await background()).toBe('rgb(179, 38, 30)')
    await part('branding-logo').setInputFiles({
      name: 'a.png',
      mimeType: 'image/png',
      buffer: Buffer.from(PNG, 'base64'),
    })
    await head.locator('[data-test="preview-logo"]').waitFor()
    await part('branding-origins').fill('https://shop.example\nhttps://www.shop.example')
    await part('branding-save').click()
    await part('said').waitFor()
    const wanted = {
      displayName: 'Coffee & Co',
      accentColor: '#b3261e',
      logo: `data:image/png;base64,${PNG}`,
      embedOrigins: ['https://shop.example', 'https://www.shop.example'],
    }
    expect(await savedNow()).toEqual(wanted)
    await page.reload()
    await head.locator('[data-test="preview-logo"]').waitFor()
    expect(await part('branding-origins').inputValue()).toBe('https://shop.example\nhttps://www.shop.example')

    // The payment page keeps what it knows of a tenant for five seconds.
    harness.clock.advance(5_000)
    const id = await tenant.register()
    const { body } = await harness.graphql(
      'query ($id: ID!) { payment(id: $id) { sessionPayment } }',
      { id },
      { as: tenant },
    )
    const { sessionPayment } = body.data?.['payment'] as { sessionPayment: string }
    const payer = await context.newPage()
    await payer.goto(`${harness.url.replace('127.0.0.1', 'localhost')}${new URL(sessionPayment).pathname}`)
    await payer.getByText('Coffee & Co', { exact: true }).waitFor()
    await payer.locator('[data-test="logo"]').waitFor()

    await part('remove-logo').click()
    await part('branding-name').fill('')
    await part('branding-save').click()
    await part('said').waitFor()
    expect(await savedNow()).toEqual({ ...wanted, displayName: null, logo: null })
    assertClean()
  })

  it('tells what is wrong, and changes nothing then', async () => {
    const before = await savedNow()
    const { part, assertClean } = await openBranding('owner')
    await part('branding-origins').fill('http://shop.example/path')
    await part('branding-save').click()
    await part('refusal').getByText('origin').waitFor()
    await part('branding-origins').fill('')
    await part('branding-logo').setInputFiles({
      name: 'a.png',
      mimeType: 'image/png',
      buffer: Buffer.alloc(65_537),
    })
    await part('branding-logo').locator('xpath=ancestor::form').getByText('larger than 64 KiB').waitFor()
    await part('branding-logo').setInputFiles({
      name: 'a.svg',
      mimeType: 'image/png',
      buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    })
    await part('branding-save').click()
    await part('refusal').getByText('PNG, JPEG or WebP').waitFor()
    expect(await savedNow()).toEqual(before)
    assertClean()
  })

  it('is refused to who may not change it any more, and says so', async () => {
    const { part } = await openBranding('developer')
    await part('branding-name').fill('Mine')
    await makeSupport('developer@shop.example')
    await part('branding-save').click()
    await part('refusal').getByText('Your role may not do this.').waitFor()
  })
})
