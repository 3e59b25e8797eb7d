import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { SandboxDescription } from '../../sandbox/demo/demo.js'
import { findLastingPort } from '../../sandbox/processes/free-port.js'
import { startWholeProduct, type RunningTarget } from '../start-target.js'

/** The whole product on a data folder of its own, and what a client and a look into its database need. */
export interface ProductHarness {
  sandbox: SandboxDescription & { database_url: string }
  product: RunningTarget
  pool: pg.Pool
  /** The product's data folder. */
  dataDir: string
  /** Calls a REST path with the demo tenant's key; throws where the answer is not a success. */
  call: (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) => Promise<Record<string, unknown>>
  /** Stops the product; its data folder stays. */
  stop: () => Promise<void>
  /** Removes the data folder of a product that was stopped. */
  remove: () => Promise<void>
  /** Both. */
  close: () => Promise<void>
}

/** Starts the product as `npm start` does: sandbox, embedded database, worker; by default nobody is turned away by the rate. */
export async function startProductHarness(
  options: { limitPerMinute?: number; environment?: Readonly<Record<string, string>> } = {},
): Promise<ProductHarness> {
  const dataDir = await mkdtemp(join(tmpdir(), 'payments-api-settlement-'))
  const product = await startWholeProduct({ ...options, port: await findLastingPort(), dataDir })
  const sandbox = JSON.parse(await readFile(join(dataDir, 'sandbox.json'), 'utf8')) as ProductHarness['sandbox']
  const pool = new pg.Pool({ connectionString: sandbox.database_url, max: 2 })
  // When the server stops it ends connections that nobody uses any more.
  pool.on('error', () => undefined)
  const stop = async (): Promise<void> => {
    await pool.end()
    await product.stop()
  }
  const remove = (): Promise<void> => rm(dataDir, { recursive: true, force: true })
  return {
    sandbox,
    product,
    pool,
    dataDir,
    call: async (method, path, body) => {
      const response = await fetch(sandbox.rest_url + path, {
        method,
        headers: { 'x-api-key': sandbox.api_key, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      })
      const answer = (await response.json()) as { success?: boolean; data?: Record<string, unknown> }
      if (!answer.success || !answer.data) throw new Error(`${method} ${path} answered ${JSON.stringify(answer)}`)
      return answer.data
    },
    stop,
    remove,
    close: async () => {
      await stop()
      await remove()
    },
  }
}

/** The terms of what is sold for 10 BRL, to be paid by wallet or Pix. */
export function terms({ public_client_id, receivers }: ProductHarness['sandbox']): Record<string, unknown> {
  return {
    // Nobody listens there: what is told is not what is measured.
    tenant_data: { public_client_id, webhook_url: 'http://127.0.0.1:9/' },
    payment_method_allowed: { crypto: true, pixcrypto: true },
    split_payment_config: [{ receiver_wallet: receivers.evm[0], receiver_percent: 100 }],
    gateway_method: 'direct',
    on_ramp: false,
    from_currency_symbol: 'BRL',
    amount_from: '10',
    to_currency_symbol: 'USDT',
    to_chain: 'polygon',
  }
}

/** Runs `work` on each item, so many at once; the results in the items' order. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  width: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length)
  let next = 0
  const drive = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++)
      results[index] = await work(items[index] as Item, index)
  }
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, drive))
  return results
}

/** The value below which this part of the numbers lies. */
export function quantile(numbers: readonly number[], part: number): number {
  const sorted = numbers.toSorted((one, other) => one - other)
  return sorted[Math.min(Math.floor(sorted.length * part), sorted.length - 1)] ?? NaN
}
