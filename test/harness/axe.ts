import axe from 'axe-core'
import type { Page } from 'playwright-core'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** What axe finds wrong on a page, by rule and place. */
export async function violations(page: Page): Promise<string[]> {
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
