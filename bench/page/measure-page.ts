import { existsSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { chromium } from 'playwright-core'
import { quantile, startProductHarness, terms, type ProductHarness } from '../settlement/product-harness.js'
import { followPage, type FollowedPage } from './follow-page.js'
import { openPayer } from './payer.js'

/** The distribution's own, the one without windows first, as the tests have it. */
const CHROMIUMS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'] as const
const FIRST_VIEWS = 30
const PAYMENTS = 200
/** So many payers look at their pages at the same time, of whom one after the other pays. */
const OPEN_PAGES = 10
const WAYS = ['pix', 'address', 'wallet'] as const

/**
 * Measures what a payer sees of the payment page: how soon its first view stands, and how soon it says that the money is in,
 * counted from when the bank has answered or a block has the transfer.
 * @param wanted only ways whose names contain it
 * @throws Error where a payment does not come in
 */
export async function measurePage(wanted: string): Promise<void> {
  const harness = await startProductHarness()
  try {
    const [payer, order] = [await openPayer(harness.sandbox), await createOrder(harness)]
    for (const way of WAYS.filter((name) => name.includes(wanted))) {
      const times: number[] = []
      while (times.length < PAYMENTS) times.push(...(await payInTurn(harness, order, payer[way])))
      console.log(`${way.padEnd(8)} the money is in → the page says so: ${shown(times)}`)
    }
    const executablePath = CHROMIUMS.find((path) => existsSync(path))
    if (executablePath === undefined) {
      console.log(`first view: not measured, there is no ${CHROMIUMS.join(' or ')} here`)
      return
    }
    const views = await firstViews(harness, order, executablePath)
    console.log(`link → first view: ${shown(views.map(({ paintMs }) => paintMs))}, by ${executablePath}`)
    console.log(`  of it, until the first byte: ${shown(views.map(({ firstByteMs }) => firstByteMs))}`)
  } finally {
    await harness.close()
  }
}

function shown(timesMs: readonly number[]): string {
  const [p50, p99, most] = [0.5, 0.99, 1].map((part) => quantile(timesMs, part).toFixed(0))
  return `p50 ${p50} ms, p99 ${p99} ms, most ${most} ms (${timesMs.length})`
}

/** A link of the demo shop, by which nobody has to be verified. @returns the order's id */
async function createOrder({ sandbox, call }: ProductHarness): Promise<string> {
  const data = await call('POST', '/order/create', {
    executor_id: 'create_order_checkout',
    ...terms(sandbox),
  })
  return String(data['order_id'])
}

/** @returns the address of the page of a new payment of the order */
async function register({ sandbox, call }: ProductHarness, order: string): Promise<string> {
  const data = await call('POST', '/payment/register/intents-create-order', { order_code: order })
  const status = await call('GET', `/payment/${String(data['payment_id'])}/status`)
  return sandbox.rest_url + new URL(String(status['session_payment'])).pathname
}

/**
 * Opens some pages, and pays one after the other.
 * @param pay answers when the money was in
 * @returns how long each page took to say that the money is in, in milliseconds
 */
async function payInTurn(
  harness: ProductHarness,
  order: string,
  pay: (page: FollowedPage) => Promise<number>,
): Promise<number[]> {
  const pages = await Promise.all(
    Array.from({ length: OPEN_PAGES }, async () => followPage(await register(harness, order))),
  )
  try {
    const times: number[] = []
    for (const page of pages) {
      const paidMs = await pay(page)
      const saidMs = await page.untilMoneyIsIn()
      times.push(Math.max(saidMs - paidMs, 0))
    }
    return times
  } finally {
    for (const page of pages) page.close()
  }
}

/** From the link on, in milliseconds. */
interface FirstView {
  firstByteMs: number
  /** The first contentful paint. */
  paintMs: number
}

/** Each in a browser that has nothing of the page yet. */
async function firstViews(harness: ProductHarness, order: string, executablePath: string): Promise<FirstView[]> {
  const browser = await chromium.launch({ executablePath })
  try {
    const views: FirstView[] = []
    for (let index = 0; index < FIRST_VIEWS; index += 1) {
      const address = await register(harness, order)
      const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
      const page = await context.newPage()
      await page.goto(address)
      const seen = (): Promise<FirstView | undefined> =>
        page.evaluate(() => {
          const [paint] = performance.getEntriesByName('first-contentful-paint')
          const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
          return paint && navigation && { paintMs: paint.startTime, firstByteMs: navigation.responseStart }
        })
      let view = await seen()
      for (; view === undefined; view = await seen()) await delay(20)
      views.push(view)
      await context.close()
    }
    return views
  } finally {
    await browser.close()
  }
}
