import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectRoot } from '../../kernel/root.js'
import { quantile, startProductHarness, terms, type ProductHarness } from '../settlement/product-harness.js'
import { seededText, seedTenant } from './seed-tenant.js'

const TIMES = 50
const PAGE_SIZE = 25

interface Page {
  edges: { node: { id: string } }[]
  pageInfo: { endCursor: string }
}

/** Gets ready for one question, and answers what asks it. */
type Question = () => Promise<() => Promise<unknown>>

/**
 * Measures the console's list of payments, and its search, over HTTP at a tenant with many payments.
 * @param count how many
 * @throws Error where a search does not find what there is
 */
export async function measureLists(count: number): Promise<void> {
  const harness = await startProductHarness()
  try {
    const ids = await seedTenant(harness.pool, await registerOne(harness), count)
    const ask = await listOf(harness)
    const { pageInfo } = await ask({})
    const asking = (variables: object): Question => {
      return () => Promise.resolve(() => ask(variables))
    }
    console.log(`${count} payments of one tenant, each question ${TIMES} times`)
    await measure('first page', asking({}))
    await measure('second page', asking({ after: pageInfo.endCursor }))
    await measure('of one status', asking({ filter: { statuses: ['ERROR'] } }))
    await measure('a month long ago', asking({ filter: monthAmid(count) }))
    await measure('search: nothing there', asking({ filter: { search: 'nobody at all' } }))
    for (const [name, { every, at, textAt }] of Object.entries(searches(harness, ids)))
      await measure(`search: ${name}`, async () => {
        const place = Math.floor((Math.random() * count) / every) * every + at
        const search = await textAt(place)
        return async () => {
          const { edges } = await ask({ filter: { search } })
          if (!edges.some(({ node }) => node.id === ids[place])) throw new Error(`${search} was not found`)
        }
      })
  } finally {
    await harness.close()
  }
}

/** What can be searched for: the payments at which places have it, and the text of one. */
function searches(
  { pool }: ProductHarness,
  ids: readonly string[],
): Record<string, { every: number; at: number; textAt: (place: number) => string | Promise<string> }> {
  const selected = async (expression: string, place: number): Promise<string> => {
    const query = `select ${expression} as text from (select $1::int as place) as asked`
    const { rows } = await pool.query<{ text: string }>(query, [place])
    return rows[0]?.text ?? ''
  }
  return {
    id: { every: 1, at: 0, textAt: (place) => ids[place] ?? '' },
    'e-mail address': { every: 1, at: 0, textAt: seededText.email },
    wallet: { every: 5, at: 0, textAt: (place) => selected(seededText.wallet, place) },
    hash: { every: 5, at: 0, textAt: (place) => selected(seededText.hash, place) },
    txid: { every: 5, at: 1, textAt: seededText.txid },
    metadata: { every: 1, at: 0, textAt: seededText.invoice },
  }
}

/** @returns the id of a payment of the demo tenant */
async function registerOne({ sandbox, call }: ProductHarness): Promise<string> {
  const { payment_id: id } = await call('POST', '/payment/register/intents-create-order', {
    executor_id: 'api_transaction',
    ...terms(sandbox),
  })
  return String(id)
}

/** 30 days, with a payment a minute, around the middle of what there is. */
function monthAmid(count: number): { createdFrom: string; createdBefore: string } {
  const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString()
  return { createdFrom: minutesAgo(count / 2), createdBefore: minutesAgo(count / 2 - 30 * 24 * 60) }
}

/** The console's own document, with the demo tenant's key in place of a session. */
async function listOf({ sandbox }: ProductHarness): Promise<(variables: object) => Promise<Page>> {
  const manifest = JSON.parse(await readFile(join(projectRoot, 'schema', 'console-documents.json'), 'utf8')) as {
    operations: { name: string; body: string }[]
  }
  const query = manifest.operations.find(({ name }) => name === 'Payments')?.body
  return async (variables) => {
    const response = await fetch(`${sandbox.rest_url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': sandbox.api_key },
      body: JSON.stringify({ query, variables: { first: PAGE_SIZE, ...variables } }),
    })
    const { data, errors } = (await response.json()) as { data?: { payments: Page }; errors?: unknown }
    if (!data || errors !== undefined) throw new Error(JSON.stringify(errors))
    return data.payments
  }
}

async function measure(name: string, prepare: Question): Promise<void> {
  const timesMs: number[] = []
  while (timesMs.length < TIMES) {
    const ask = await prepare()
    const startMs = performance.now()
    await ask()
    timesMs.push(performance.now() - startMs)
  }
  const [p50, p99, most] = [0.5, 0.99, 1].map((part) => quantile(timesMs, part).toFixed(0))
  console.log(`${name.padEnd(24)} p50 ${p50} ms, p99 ${p99} ms, most ${most} ms`)
}
