import { batcher } from '../../../kernel/batcher.js'
import { run, type Database, type NamedStatement } from '../../../kernel/database.js'
import { NEWEST_FIRST } from '../model/payment-sort.js'
import { LISTED_PROPERTIES, type ListedPayment, type ListedProperty } from './payment.entity.js'
import type { ListWindow, PaymentFilter } from './payment-filter.js'
import { pagesOf, withDates, type PageRow } from './payment-rows.js'

/** So many selections have statements of their own, which every connection keeps; those after them read all that lists show. */
const SELECTIONS_MAX = 32

interface Page {
  tenantId: string
  limit: number
  afterId?: string | undefined
}

type ReadPage = (page: Page) => Promise<ListedPayment[]>

/** Whether a list is as most begin: all payments, from the newest on. */
export function isWholeList(filter: PaymentFilter, { sort = NEWEST_FIRST }: ListWindow): boolean {
  const isNewestFirst = sort.by === NEWEST_FIRST.by && sort.direction === NEWEST_FIRST.direction
  return isNewestFirst && Object.values(filter).every((value) => value == null)
}

/**
 * Reads pages of whole lists that are asked for at the same time together, with what the documents that ask for them select: the database writes each
 * value into its answer, and all that lists show is several times of what most select. Their rows are short, so that the longest ones of
 * as many tenants as go together fit into an answer.
 */
export function listedPages(db: Database): (shown: readonly ListedProperty[], page: Page) => Promise<ListedPayment[]> {
  const readAll = pageReader(db, 'payment_listed_pages', LISTED_PROPERTIES)
  const bySelection = new Map<string, ReadPage>()
  const readerFor = (shown: readonly ListedProperty[]): ReadPage => {
    const selection = shown.join()
    const found = bySelection.get(selection)
    if (found || bySelection.size >= SELECTIONS_MAX) return found ?? readAll
    const read = pageReader(db, `payment_listed_pages_${bySelection.size}`, shown)
    bySelection.set(selection, read)
    return read
  }
  return (shown, page) => readerFor(shown)(page)
}

function pageReader(db: Database, name: string, shown: readonly ListedProperty[]): ReadPage {
  const statements = pagesOf(name, shown)
  const first = batcher((pages: readonly Page[]) => readPages(db, statements.first, pages, []))
  const after = batcher((pages: readonly Page[]) =>
    readPages(db, statements.after, pages, [pages.map(({ afterId }) => afterId)]),
  )
  return (page) => (page.afterId === undefined ? first(page) : after(page))
}

async function readPages(
  db: Database,
  statement: NamedStatement,
  pages: readonly Page[],
  behind: readonly unknown[],
): Promise<ListedPayment[][]> {
  const [tenants, limits] = [pages.map(({ tenantId }) => tenantId), pages.map(({ limit }) => limit)]
  const rows = await run<PageRow>(db.pool, statement, [tenants, limits, ...behind])
  const found = new Map(rows.map(({ place, page }) => [place, page]))
  return pages.map((_, index) => (found.get(index + 1) ?? []).map(withDates))
}
