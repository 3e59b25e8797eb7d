import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { tenantCli } from '../../subgraphs/accounts/cli/tenant-cli.js'
import { registration, registrationInput, type Registered } from '../registration.js'
import { quantile, startProductHarness, type ProductHarness } from '../settlement/product-harness.js'
import { seedPayments } from '../seed.js'
import type { Attack } from './attack.js'
import { worstDocuments } from './worst-documents.js'

/** As in production: the worst tenant stays within it, or is refused. */
const LIMIT_PER_MINUTE = 600
/** Registrations of the other tenant, steadily, whatever the answers take. */
const REGISTRATIONS_PER_SECOND = 40
/** So many that none of the other tenant's keys comes near its own rate. */
const OTHER_KEYS = 8
const ATTACK_CONNECTIONS = 16
const METADATA_BYTES = 16_000
const WARM_UP_MS = 8_000
const QUIET_MS = 15_000
const ATTACKED_MS = 20_000

interface Tenant {
  id: string
  keys: string[]
  publicClientId: string
}

/**
 * Measures what registering a payment takes one tenant, quietly and while another is at its worst, and prints p50 and p99 of
 * both. Each kind of attack has a key of its own, whose window is empty: its first second is the worst there is.
 * @param wanted only attacks whose names contain it
 * @throws Error where a registration is refused
 */
export async function measureFairness(wanted: string, rounds: number): Promise<void> {
  const harness = await startProductHarness({ limitPerMinute: LIMIT_PER_MINUTE })
  try {
    const other = await newTenant(harness, OTHER_KEYS)
    const [receiver = ''] = harness.sandbox.receivers.evm
    await registerSteadily(harness, other, WARM_UP_MS)
    const ratios = new Map<string, number[]>()
    for (let round = 0; round < rounds; round += 1) {
      const quiet = await registerSteadily(harness, other, QUIET_MS)
      console.log(`round ${round + 1}  ${'quiet'.padEnd(26)} ${shown(quiet)}`)
      const worst = await newTenant(harness, Object.keys(worstDocuments({})).length)
      await seedPayments(harness.pool, { ...worst, receivers: harness.sandbox.receivers.evm })
      await harness.pool.query(
        `update payments.payment set metadata = jsonb_build_object('note', repeat('x', $2)) where tenant_id = $1
          and id in (select id from payments.payment where tenant_id = $1 order by id desc limit 500)`,
        [worst.id, METADATA_BYTES],
      )
      const documents = worstDocuments(registrationInput(registeredBy(worst, receiver)))
      for (const [index, [name, kinds]] of Object.entries(documents).entries()) {
        if (!name.includes(wanted)) continue
        const { rest_url: url } = harness.sandbox
        const attack = { url, key: worst.keys[index] ?? '', connections: ATTACK_CONNECTIONS, documents: kinds }
        const attacked = await underAttack(attack, () => registerSteadily(harness, other, ATTACKED_MS))
        const ratio = quantile(attacked, 0.99) / quantile(quiet, 0.99)
        ratios.set(name, [...(ratios.get(name) ?? []), ratio])
        console.log(`round ${round + 1}  ${name.padEnd(26)} ${shown(attacked)}  p99 ${ratio.toFixed(2)} of quiet`)
      }
    }
    for (const [name, ofRounds] of ratios)
      console.log(`median  ${name.padEnd(26)} p99 ${quantile(ofRounds, 0.5).toFixed(2)} of quiet`)
  } finally {
    await harness.close()
  }
}

function shown(latenciesMs: readonly number[]): string {
  const [p50, p99, most] = [0.5, 0.99, 1].map((part) => quantile(latenciesMs, part).toFixed(1))
  return `register p50 ${p50} ms, p99 ${p99} ms, most ${most} ms (${latenciesMs.length})`
}

/** The attack is in a thread of its own, so that what it reads does not hold up what is measured. */
async function underAttack<T>(attack: Attack, measure: () => Promise<T>): Promise<T> {
  const worker = new Worker(join(import.meta.dirname, 'attack.js'), { workerData: attack })
  const failed = once(worker, 'error').then(([error]) => {
    throw error as Error
  })
  try {
    return await Promise.race([measure(), failed])
  } finally {
    await worker.terminate()
  }
}

/** @returns how long each registration took from the moment it was due, in milliseconds */
async function registerSteadily(harness: ProductHarness, tenant: Tenant, durationMs: number): Promise<number[]> {
  const [receiver] = harness.sandbox.receivers.evm
  const body = JSON.stringify(registration(registeredBy(tenant, receiver)))
  const latenciesMs: number[] = []
  const running: Promise<void>[] = []
  const startMs = performance.now()
  const count = (durationMs / 1000) * REGISTRATIONS_PER_SECOND
  for (let number = 0; number < count; number += 1) {
    const dueMs = startMs + (number * 1000) / REGISTRATIONS_PER_SECOND
    const earlyMs = dueMs - performance.now()
    if (earlyMs > 0) await delay(earlyMs)
    const key = tenant.keys[number % tenant.keys.length] ?? ''
    running.push(
      register(`${harness.sandbox.rest_url}/payment/register/intents-create-order`, key, body).then(() => {
        latenciesMs.push(performance.now() - dueMs)
      }),
    )
  }
  await Promise.all(running)
  return latenciesMs
}

async function register(url: string, key: string, body: string): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body,
  })
  const text = await response.text()
  if (response.status !== 201) throw new Error(`a registration answered ${response.status}: ${text}`)
}

function registeredBy({ publicClientId }: Tenant, receiver: string): Registered {
  return { publicClientId, webhookUrl: 'http://127.0.0.1:9/hook', shares: [[receiver, 100]] }
}

async function newTenant({ sandbox, dataDir }: ProductHarness, keys: number): Promise<Tenant> {
  const environment = {
    DATABASE_URL: sandbox.database_url,
    MASTER_KEY: (await readFile(join(dataDir, 'master-key'), 'utf8')).trim(),
  }
  const run = async (...args: string[]): Promise<Record<string, unknown>> => {
    const lines: string[] = []
    const code = await tenantCli(
      args,
      { out: (line) => lines.push(line), err: (line) => lines.push(line) },
      environment,
    )
    if (code !== 0) throw new Error(lines.join('\n'))
    return JSON.parse(lines.join('\n')) as Record<string, unknown>
  }
  const made = await run('create', '--name', 'Bench')
  const id = String(made['id'])
  const more = Array.from({ length: keys - 1 }, () => run('key', 'create', '--tenant', id))
  return {
    id,
    publicClientId: String(made['public_client_id']),
    keys: [made, ...(await Promise.all(more))].map(({ api_key: key }) => String(key)),
  }
}
