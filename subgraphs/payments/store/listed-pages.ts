import { batcher } from '../../../kernel/batcher.js'
import { run, type Database } from '../../../kernel/database.js'
import { NEWEST_FIRST } from '../model/payment-sort.js'
import type { ListedPayment } from './payment.entity.js'
import type { ListWindow, PaymentFilter } from './payment-filter.js'
import { LISTED_PAGES, withDates, type PageRow } from './payment-rows.js'

interface Page {
  tenantId: string
  limit: number
  afterId?: string | undefined
}

/** Whether `listedPages` reads it: a list as most begin, all payments from the newest on, and only what lists show. */
export function isListedPage(filter: PaymentFilter, { isListed = false, sort = NEWEST_FIRST }: ListWindow): boolean {
  const { by, direction } = sort
  const isNewestFirst = by === NEWEST_FIRST.by && direction === NEWEST_FIRST.direction
  return isListed && isNewestFirst && Object.values(filter).every((value) => value == null)
}

/**
 * Reads pages that are asked for at the same time together. Their rows are short, so that the longest ones of as many
 * tenants as go together fit into an answer.
 */
export function listedPages(db: Database): (page: Page) => Promise<ListedPayment[]> {
  const first = batcher((pages: readonly Page[]) => readPages(db, LISTED_PAGES.first, pages))
  const after = batcher((pages: readonly Page[]) => readPages(db, LISTED_PAGES.after, pages))
  return (page) => (page.afterId === undefined ? first(page) : after(page))
}

async function readPages(
  db: Database,
  statement: (typeof LISTED_PAGES)['first'],
  pages: readonly Page[],
): Promise<ListedPayment[][]> {
  const [tenants, limits] = [pages.map(({ tenantId }) => tenantId), pages.map(({ limit }) => limit)]
  const ids = statement === LISTED_PAGES.after ? [pages.map(({ afterId }) => afterId)] : []
  const rows = await run<PageRow>(db.pool, statement, [tenants, limits, ...ids])
  const found = new Map(rows.map(({ place, page }) => [place, page]))
  return pages.map((_, index) => (found.get(index + 1) ?? []).map(withDates))
}
