import type { CDPSession } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { assertReadable } from '../harness/axe.js'
import { noBrowser, usesBrowser } from '../harness/browser.js'
import { openConsole, type OpenedConsole, proveAt, signInAt } from '../harness/console-page.js'
import { startHarness } from '../harness/harness.js'
import { untilMail } from '../harness/mailbox.js'

const harness = await startHarness()
const { tenant } = harness
/** Passkeys belong to the address that the deployment is reached at. */
const at = { url: harness.publicUrl }
usesBrowser()

let count = 0
async function newOwner(): Promise<string> {
  const email = `fingers${(count += 1)}@example.com`
  await harness.dashboard.addMember(tenant, email, 'owner')
  harness.clock.advance(60_000)
  return email
}

/** Chromium's own authenticator, of a device that knows who is at it. */
async function addAuthenticator({ page, context }: OpenedConsole): Promise<{ cdp: CDPSession; id: string }> {
  const cdp = await context.newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId: id } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { cdp, id }
}

const setVerified = ({ cdp, id }: Awaited<ReturnType<typeof addAuthenticator>>, isUserVerified: boolean) =>
  cdp.send('WebAuthn.setUserVerified', { authenticatorId: id, isUserVerified })

/** A person at the page of passkeys, with one that is called Laptop. */
async function openWithPasskey(options = {}, start = '/passkeys', email?: string) {
  const address = email ?? (await newOwner())
  const opened = await openConsole(at, start, options)
  const device = await addAuthenticator(opened)
  await signInAt(opened, harness, address)
  const { page, part } = opened
  await part('no-passkeys').waitFor()
  await part('add-passkey').click()
  await part('passkey-name').fill('Laptop')
  await page.keyboard.press('Enter')
  const row = page.locator('[data-test="passkeys"] [data-test="row"]', { hasText: 'Laptop' })
  await row.waitFor()
  return { ...opened, device, row, email: address }
}

async function assertAccessible({ page }: OpenedConsole, name: string): Promise<void> {
  await assertReadable(page, name)
  await page.setViewportSize({ width: 1280, height: 900 })
}

describe.skipIf(noBrowser)(`passkeys at the console${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it('are added, sign in with nothing typed, prove, and are removed', async () => {
    const opened = await openWithPasskey()
    const { page, part, row, assertClean } = opened
    expect(await row.innerText()).toContain('Never')
    await page.setViewportSize({ width: 1280, height: 900 })
    await part('sign-out').click()
    await part('passkey-sign-in').click()
    await part('tenant-title').waitFor()
    await row.waitFor()
    expect(await row.innerText()).not.toContain('Never')
    // Signing in was a proof; ten minutes later another one is wanted.
    harness.clock.advance(11 * 60_000)
    await row.locator('[data-test="remove-passkey"]').click()
    await part('confirm').click()
    await part('prove-passkey').waitFor()
    await page.keyboard.press('Enter')
    await row.waitFor({ state: 'detached' })
    await part('no-passkeys').waitFor()
    // The browser has it still, and is told that it is nothing here any more.
    await part('sign-out').click()
    await part('passkey-sign-in').click()
    await part('refusal').waitFor()
    expect(await part('refusal').innerText()).toContain('does not sign you in here')
    assertClean()
  })

  it('are added and asked for though what the browser needs for it could not be loaded at first, and no page is ever blank', async () => {
    const opened = await openConsole(at, '/passkeys')
    const { page, part } = opened
    await addAuthenticator(opened)
    await signInAt(opened, harness, await newOwner())
    let isDown: RegExp | undefined = /\/passkey-[^/]*$/
    await page.route('**/console/assets/*', (route) =>
      isDown?.test(new URL(route.request().url()).pathname) === true ? route.abort() : route.fallback(),
    )
    const refusal = part('refusal').getByText('could not be reached')
    await part('add-passkey').click()
    await part('passkey-name').fill('Laptop')
    await page.keyboard.press('Enter')
    await refusal.waitFor()
    isDown = undefined
    await part('passkey-name-do').click()
    await part('remove-passkey').waitFor()
    isDown = /\/proof-dialog-/
    harness.clock.advance(11 * 60_000)
    await part('remove-passkey').click()
    await part('confirm').click()
    await refusal.waitFor()
    isDown = undefined
    await part('confirm').click()
    await part('prove-passkey').click()
    await part('no-passkeys').waitFor()
    isDown = /\/audit-page-/
    await part('nav-audit').click()
    await part('page-failed').getByText('could not be shown').waitFor()
    isDown = undefined
    await part('load-again').click()
    await part('audit').waitFor()
  })

  it('are called something else by their person, who is told by e-mail in the language of the page what was added', async () => {
    const { page, part, row, email, assertClean } = await openWithPasskey({ locale: 'pt-BR' })
    await row.locator('[data-test="rename-passkey"]').click()
    await part('passkey-name').fill('Chaveiro')
    await part('passkey-name-do').click()
    await page.locator('[data-test="passkeys"] [data-test="row"]', { hasText: 'Chaveiro' }).waitFor()
    expect(await row.count()).toBe(0)
    await untilMail(harness, email, 'Uma chave de acesso foi adicionada')
    assertClean()
  })

  it('sign in after the address was typed as well, and nobody of another address', async () => {
    const { part, email } = await openWithPasskey()
    await part('sign-out').click()
    await part('email').fill('unknown@example.com')
    await part('passkey-sign-in').click()
    await part('refusal').waitFor()
    await part('email').fill(email)
    await part('passkey-sign-in').click()
    await part('tenant-title').waitFor()
  })

  it('leave the code as a way: to who is not verified by the device, and to who asks for it', async () => {
    const { page, part, device, row, email } = await openWithPasskey()
    harness.clock.advance(11 * 60_000)
    await setVerified(device, false)
    await row.locator('[data-test="remove-passkey"]').click()
    await part('confirm').click()
    await part('prove-passkey').click()
    await part('refusal').waitFor()
    await part('prove-code').click()
    await proveAt({ part }, harness, email)
    await part('no-passkeys').waitFor()
    await part('sign-out').click()
    await signInAt({ part } as OpenedConsole, harness, email)
    await part('tenant-title').waitFor()
    expect(page.url()).toContain('/passkeys')
  })

  it('are what operators have too, once on a device', async () => {
    const { part, page } = await openWithPasskey({}, '/operators/passkeys', 'operator@example.com')
    await part('add-passkey').click()
    await part('passkey-name').fill('Again')
    await part('passkey-name-do').click()
    await part('refusal').waitFor()
    expect(await part('refusal').innerText()).toContain('has a passkey for you already')
    await page.keyboard.press('Escape')
    await part('sign-out').click()
    await part('passkey-sign-in').click()
    await part('nav-alerts').waitFor()
  })

  it('say so where a browser has none at this address', async () => {
    const opened = await openConsole({ url: harness.url.replace('localhost', '127.0.0.1') })
    const page = opened.page
    await page.goto(`${harness.url.replace('localhost', '127.0.0.1')}/console/passkeys`)
    await opened.part('email').waitFor()
    expect(await opened.part('passkey-sign-in').count()).toBe(0)
  })

  it.each([
    ['light', 'en-GB'],
    ['dark', 'pt-BR'],
  ] as const)('have nothing that axe finds wrong: %s, %s', async (colorScheme, locale) => {
    const opened = await openWithPasskey({ colorScheme, locale })
    const { part, row } = opened
    await assertAccessible(opened, `passkeys-${locale}`)
    await part('add-passkey').click()
    await part('passkey-name').waitFor()
    await assertAccessible(opened, `add-${locale}`)
    await opened.page.keyboard.press('Escape')
    harness.clock.advance(11 * 60_000)
    await row.locator('[data-test="remove-passkey"]').click()
    await part('confirm').click()
    await part('prove-passkey').waitFor()
    await assertAccessible(opened, `prove-${locale}`)
    await part('prove-code').click()
    await part('code').waitFor()
    await opened.page.keyboard.press('Escape')
    await opened.page.keyboard.press('Escape')
    await part('sign-out').click()
    await part('passkey-sign-in').waitFor()
    await assertAccessible(opened, `sign-in-${locale}`)
    opened.assertClean()
  })
})
