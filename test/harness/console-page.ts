import { join } from 'node:path'
import type { BrowserContextOptions } from 'playwright-core'
import type { Role } from '../../kernel/tenant.js'
import { projectRoot } from '../../kernel/root.js'
import { assertReadable } from './axe.js'
import { DESKTOP, openPage, type OpenedPage } from './browser.js'
import { codeFor } from './console.js'
import type { Harness } from './harness.js'
import type { TestTenant } from './tenants.js'

/** A deployment that runs what the console's pages are made of and no other document, as a live one does for people. */
export const TRUSTED_ONLY = { TRUSTED_DOCUMENTS_FILE: join(projectRoot, 'schema', 'console-documents.json') }

/** A person at the console, in a browser. */
export interface OpenedConsole extends OpenedPage {
  /** Goes to a page by its address, as a link from outside does. */
  goTo: (path: string) => Promise<void>
}

/** Who is not signed in yet is told so, and the browser's console says that too. */
const NOT_SIGNED_IN = /status of 401/

/** A browser, and which of the failures of its console belong to what is tested. */
interface ConsoleOptions extends BrowserContextOptions {
  expected?: RegExp
}

const DESK = { ...DESKTOP, locale: 'en-GB' }

/** Opens a page of the console, at the name that passkeys need. */
export async function openConsole(
  harness: Pick<Harness, 'url'>,
  path = '',
  { expected = NOT_SIGNED_IN, ...options }: ConsoleOptions = {},
): Promise<OpenedConsole> {
  const base = `${harness.url.replace('127.0.0.1', 'localhost')}/console`
  const opened = await openPage(`${base}${path}`, { ...DESK, ...options, expected })
  return { ...opened, goTo: async (to) => void (await opened.page.goto(`${base}${to}`)) }
}

/** Types an address and the code that it was sent. */
export async function signInAt(
  { part }: OpenedPage,
  harness: Pick<Harness, 'mailboxUrl'>,
  email: string,
): Promise<void> {
  await part('email').fill(email)
  await part('send-code').click()
  await part('code').waitFor()
  await part('code').fill(await codeFor(harness, email))
  await part('sign-in').click()
}

/** Proves who acts by the code that is sent, once the page asks for it. */
export async function proveAt(
  { part }: Pick<OpenedPage, 'part'>,
  harness: Pick<Harness, 'mailboxUrl'>,
  email: string,
): Promise<void> {
  await part('prove').waitFor()
  await part('code').waitFor()
  await part('code').fill(await codeFor(harness, email))
  await part('prove').click()
}

/** Signs somebody new up, with a tenant of that name. */
export async function signUpAt(
  opened: OpenedPage,
  harness: Pick<Harness, 'mailboxUrl'>,
  { email, tenant }: { email: string; tenant: string },
): Promise<void> {
  await signInAt(opened, harness, email)
  await opened.part('tenant-name').fill(tenant)
  await opened.part('make-tenant').click()
  await opened.part('tenant-title').waitFor()
}

/** Opens the console at an address as somebody. @param role what he is at the harness's tenant from now on */
export async function openAs(
  harness: Harness,
  email: string,
  path = '',
  { role, ...options }: ConsoleOptions & { role?: Role } = {},
): Promise<OpenedConsole> {
  if (role) await harness.dashboard.addMember(harness.tenant, email, role)
  const opened = await openConsole(harness, path, options)
  await signInAt(opened, harness, email)
  return opened
}

let owners = 0

/** Opens the console at an address as somebody new who owns the tenant. @param of another tenant than the harness's */
export async function openAsOwner(
  harness: Harness,
  path = '',
  { of = harness.tenant, ...options }: ConsoleOptions & { of?: TestTenant } = {},
): Promise<OpenedConsole & { email: string }> {
  const email = `owner${(owners += 1)}@example.com`
  await harness.dashboard.addMember(of, email, 'owner')
  const opened = await openAs(harness, email, path, options)
  await opened.part('tenant-title').waitFor()
  return { ...opened, email }
}

/** Fails where something is wrong on one of these pages. @param pages by their paths, what each shows once it has come */
export async function assertPagesReadable(
  { page, part, goTo }: OpenedConsole,
  pages: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [path, shown] of Object.entries(pages)) {
    await goTo(path)
    await part(shown).first().waitFor()
    await assertReadable(page, path)
  }
}
