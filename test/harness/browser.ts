import { existsSync } from 'node:fs'
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Locator,
  type Page,
} from 'playwright-core'
import { expect } from 'vitest'
import { atEnd, ending } from './at-end.js'
import { testSettings } from './env.js'
import { until } from './until.js'

/**
 * The distribution's own; `.ci/run` installs it where it is missing. First the one without windows: a page costs the other 0.8 s of
 * CPU, this one 0.1, since Chromium's `--headless` builds a whole browser window around each.
 */
const CHROMIUMS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'] as const
const found = CHROMIUMS.find((path) => existsSync(path))

/** What a test that needs a browser says where there is none. */
export const noBrowser = found === undefined ? `skipped: there is no ${CHROMIUMS.join(' or ')} here` : undefined

/** What pages are looked at on. */
export const PHONE = { viewport: { width: 390, height: 844 } }
export const DESKTOP = { viewport: { width: 1280, height: 900 } }

/** A payment page in a browser, watched: what it asks other hosts for, and what the console says. */
export interface OpenedPage {
  page: Page
  context: BrowserContext
  /** The element with that `data-test`. */
  part: (name: string) => Locator
  /** Waits until the page says where the payment stands. */
  untilStatus: (...wanted: string[]) => Promise<void>
  /** Fails where a foreign host was asked, or the console had an error, such as one of the content security policy. */
  assertClean: () => void
}

let started: Promise<Browser> | undefined

async function browser(): Promise<Browser> {
  started ??= chromium.launch({ executablePath: testSettings.browserPath ?? found ?? '' })
  return started
}

/** Ends the browser with the test file. */
export function usesBrowser(): void {
  atEnd(async () => {
    const running = started
    started = undefined
    await (await running)?.close()
  })
}

/**
 * Lets a page wait for each answer, and compute slowly, as on a busy machine: a test that acts on what the page showed
 * before is found by it. `SLOW_BROWSER=1 npx vitest run --project pages` runs all of them so.
 */
async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 400,
    downloadThroughput: -1,
    uploadThroughput: -1,
  })
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
}

/**
 * Opens a page of the product.
 * @param options.prepare before the page: wallets are put in here
 * @param options.hosts that may be asked besides the product's own
 */
export async function openPage(
  address: string,
  options: BrowserContextOptions & {
    prepare?: (context: BrowserContext) => Promise<void>
    hosts?: readonly string[]
    /** What the console may say. */
    expected?: RegExp
  } = {},
): Promise<OpenedPage> {
  const { prepare, hosts = [], expected, ...contextOptions } = options
  const viewport = { width: 390, height: 844 }
  const context = ending(await (await browser()).newContext({ viewport, locale: 'pt-BR', ...contextOptions }))
  const problems: string[] = []
  const allowed = [new URL(address).host, ...hosts]
  context.on('request', (request) => {
    const { protocol, host } = new URL(request.url())
    if (!['data:', 'blob:'].includes(protocol) && !allowed.includes(host)) problems.push(`asked ${host}`)
  })
  await prepare?.(context)
  const page = await context.newPage()
  if (testSettings.isBrowserSlow) await slowDown(page)
  page.on('console', (message) => {
    if (message.type() === 'error' && expected?.test(message.text()) !== true) problems.push(message.text())
  })
  page.on('pageerror', ({ message }) => problems.push(message))
  await page.goto(address)
  const part = (name: string): Locator => page.locator(`[data-test="${name}"]`)
  return {
    page,
    context,
    part,
    untilStatus: async (...wanted) => {
      const selector = wanted.map((status) => `[data-test="status"][data-status="${status}"]`).join(', ')
      await page.waitForSelector(selector, { timeout: 60_000 })
    },
    assertClean: () => {
      expect(problems).toEqual([])
    },
  }
}

/** Waits until the picture has come and is drawn: an element is there before its picture is. */
export async function untilDrawn({ part }: Pick<OpenedPage, 'part'>, name: string): Promise<void> {
  await until(`${name} is drawn`, () =>
    part(name)
      .first()
      .evaluate((image: HTMLImageElement) => image.naturalWidth > 0),
  )
}

/** Waits until the text is in the clipboard, which takes a moment after the click. */
export async function untilCopied({ page }: Pick<OpenedPage, 'page'>, text: string): Promise<void> {
  await until('the text is copied', async () => (await page.evaluate(() => navigator.clipboard.readText())) === text)
}
