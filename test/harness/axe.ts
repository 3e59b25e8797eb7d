import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/**
 * What is wrong on a page: what axe finds, by rule and place, and buttons whose text is cut off. A list that is asked anew is pale until it has
 * answered: it is looked at then, as a control that is inactive has no contrast to keep (WCAG 1.4.3). A frame that still moves to a new width is
 * none that anybody reads: what moves, and has an end, has ended.
 */
export async function violations(page: Page): Promise<string[]> {
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null)
  await page.waitForFunction(() =>
    document.getAnimations().every(({ effect }) => effect?.getComputedTiming().endTime === Infinity),
  )
  return [...(await foundByAxe(page)), ...(await cutButtons(page))]
}

/** Axe does not see that a box hides the end of its text. */
function cutButtons(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('button, button *')]
      .filter((box) => box.scrollWidth > box.clientWidth + 1 && getComputedStyle(box).overflowX === 'hidden')
      .map((box) => `cut off: ${box.textContent}`),
  )
}

async function foundByAxe(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  return page.evaluate(async (runOnly) => {
    interface Result {
      violations: { id: string; nodes: { target: string[] }[] }[]
    }
    const { axe: inPage } = window as unknown as { axe: { run: (node: Document, options: object) => Promise<Result> } }
    const { violations: found } = await inPage.run(document, { runOnly })
    return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
  }, RULES)
}

/** Fails where something is wrong on a page, on a desk or on a phone. */
export async function assertAccessible(page: Page): Promise<void> {
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 })
    expect([width, await violations(page)]).toEqual([width, []])
  }
}

/** Fails where something is wrong on a page, or it can be scrolled sideways, on a desk or on a phone. @param name of the page */
export async function assertReadable(page: Page, name: string): Promise<void> {
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 })
    expect([name, width, await violations(page)]).toEqual([name, width, []])
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect([name, width, overflow]).toEqual([name, width, 0])
  }
}
