import { AsyncLocalStorage } from 'node:async_hooks'
import type { Pool, PoolClient } from 'pg'

/** Whose statements are noted: a provider may call back, and a job run, while the work is still under way. */
const work = new AsyncLocalStorage<string[]>()

/**
 * Runs work, and notes the statements that it gives a pool's connections, `begin` and `commit` among them; not what happens beside it.
 * @returns each by its name, or by its first words where it has none, in their order
 */
export async function statementsOf(pool: Pool, run: () => Promise<unknown>): Promise<string[]> {
  const noted: string[] = []
  const taken = new Map<PoolClient, PoolClient['query']>()
  const take = (client: PoolClient): void => {
    const query = client.query
    taken.set(client, query)
    client.query = ((...given: unknown[]) => {
      work.getStore()?.push(wordsOf(given[0]))
      return (query as (...args: unknown[]) => unknown).apply(client, given)
    }) as PoolClient['query']
  }
  const giveBack = (client: PoolClient): void => {
    const query = taken.get(client)
    if (query) client.query = query
    taken.delete(client)
  }
  const released = (_error: unknown, client: PoolClient): void => giveBack(client)
  pool.on('acquire', take)
  pool.on('release', released)
  try {
    await work.run(noted, run)
    return noted
  } finally {
    pool.off('acquire', take)
    pool.off('release', released)
    for (const client of [...taken.keys()]) giveBack(client)
  }
}

function wordsOf(statement: unknown): string {
  const { name, text = '' } =
    typeof statement === 'string' ? { text: statement } : (statement as { name?: string; text?: string })
  return name ?? text.replaceAll('"', '').split(/\s+/).slice(0, 3).join(' ')
}
