import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { findLastingPort } from '../sandbox/processes/free-port.js'
import { learnAnswers } from './answers.js'
import { casesFor, TARGETS, type Case, type TargetName } from './cases.js'
import { measureLists } from './console/measure-lists.js'
import { measureCheck } from './ledger/measure-check.js'
import { measureFirstAnswers } from './first-answers.js'
import { graphCases, makeOrders } from './graph-cases.js'
import { measureFairness } from './fairness/measure-fairness.js'
import { measurePage } from './page/measure-page.js'
import { measureRefunds } from './refunds/measure-refunds.js'
import type { LoadResult } from './load.js'
import { runLoad } from './run-load.js'
import { figuresOf, jsonOf, tableOf, type Measurement } from './report.js'
import { measureSettlement } from './settlement/measure-settlement.js'
import { countRegistered, removeRegistered, seedPayments } from './seed.js'
import { measureMemory, measureWarmStart } from './service-figures.js'
import { LIMIT_PER_MINUTE, startProduct, startTarget } from './start-target.js'
import type { TargetSettings } from './targets/settings.js'
import { openWorkspace, readDemo, type Demo, type Workspace } from './workspace.js'
import { yieldCases } from './yield-cases.js'
import { startYieldChain, type YieldChain } from './yield-chain.js'

const ROUNDS = 5
/** Long enough for V8 to have compiled what is hot, which is more code in some targets than in others. */
const WARM_UP_MS = 8_000
const MEASURED_MS = 3_000

const USAGE = `Usage: npm run bench -- [options]

  --case PART     only the cases whose names have this part
  --target NAME   only this target, several times for several: ${TARGETS.join(', ')}
  --rounds N      ${ROUNDS} if left out
  --json FILE     writes the figures there too

Instead of all that, one of these:
  --settlement [--waiting N]   how fast what was paid is paid out
  --fairness                   how tenants fare beside one that asks too much
  --ledger N                   how long the check of a ledger of so many lines takes
  --page                       how soon the payment page stands
  --refunds                    how long refunding a paid charge takes
  --lists N                    how long the console's lists take at a tenant with so many payments`

/** Everything that a round needs. */
interface Bench {
  pool: pg.Pool
  settings: TargetSettings
  dataDir: string
  cases: readonly Case[]
  lastSeeded: string
  apiKey: string
  /** What the answers are about, as the first target gave them. */
  known: Map<string, unknown[]>
}

/** Measures everything and prints it; a wrong answer ends it. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      json: { type: 'string' },
      rounds: { type: 'string', default: String(ROUNDS) },
      case: { type: 'string' },
      target: { type: 'string', multiple: true, default: [...TARGETS] },
      settlement: { type: 'boolean', default: false },
      waiting: { type: 'string' },
      fairness: { type: 'boolean', default: false },
      ledger: { type: 'string' },
      page: { type: 'boolean', default: false },
      refunds: { type: 'boolean', default: false },
      lists: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) {
    console.log(USAGE)
    return
  }
  const other = otherMeasurement(values)
  if (other) {
    await other()
    return
  }
  const workspace = await openWorkspace()
  const chain = await startYieldChain()
  const pool = new pg.Pool({ connectionString: workspace.databaseUrl, max: 2 })
  // When the server stops it ends connections that nobody uses any more.
  pool.on('error', () => undefined)
  try {
    const bench = await prepare(workspace, pool, chain)
    const cases = bench.cases.filter(({ name }) => name.includes(values.case ?? ''))
    const measurements: Measurement[] = []
    for (let round = 0; round < Number(values.rounds); round += 1) {
      for (const target of rotated(values.target as TargetName[], round)) {
        measurements.push(...(await measureTarget({ ...bench, cases }, target, round)))
      }
    }
    const figures = figuresOf(measurements)
    console.log(`\n${tableOf(figures)}\n`)
    if (process.argv.includes('--target')) return
    const memoryMb = await measureMemory(bench.settings, bench.dataDir, cases)
    console.log(`memory of the service under load: ${Math.round(memoryMb)} MB`)
    console.log(await measureFirstAnswers(bench.settings, bench.dataDir, bench.apiKey))
    console.log(`npm start on an existing data folder: ready after ${Math.round(await measureWarmStart())} ms`)
    if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(jsonOf(figures), null, 2)}\n`)
  } finally {
    await pool.end()
    await chain.stop()
    await workspace.close()
  }
}

interface Wanted {
  settlement: boolean
  waiting?: string
  fairness: boolean
  ledger?: string
  page: boolean
  refunds: boolean
  lists?: string
  case?: string
  rounds: string
}

/** What is measured in place of the cases; undefined where they are wanted. */
function otherMeasurement(wanted: Wanted): (() => Promise<void>) | undefined {
  const { waiting, ledger, lists, rounds, case: only = '' } = wanted
  if (wanted.settlement) return () => measureSettlement(only, waiting === undefined ? undefined : Number(waiting))
  if (wanted.page) return () => measurePage(only)
  if (wanted.refunds) return measureRefunds
  if (lists !== undefined) return () => measureLists(Number(lists))
  if (ledger !== undefined) return () => measureCheck(Number(ledger))
  if (wanted.fairness) return () => measureFairness(only, Number(rounds))
  return undefined
}

/** Lets the product make its schemas and its demo tenant, and seeds the payments. */
async function prepare({ databaseUrl, dataDir, folder }: Workspace, pool: pg.Pool, chain: YieldChain): Promise<Bench> {
  const port = await findLastingPort()
  const incomplete: TargetSettings = {
    port,
    subgraphsPort: await findLastingPort(),
    databaseUrl,
    linkKey: '',
    publicUrl: 'http://localhost:4000',
    limitPerMinute: LIMIT_PER_MINUTE,
    chains: [],
    yield: { rpcUrl: chain.chain.rpcUrl, mint: chain.chain.tokens['USDC']?.mint ?? '', strategies: {} },
    files: undefined,
  }
  const product = await startProduct({ settings: incomplete, dataDir, roles: 'all' })
  const demo = await readDemo(dataDir)
  const strategies = await readStrategies(port, demo)
  const orders = await makeOrders(port, demo)
  await product.stop()
  const { rows } = await pool.query<{ id: string }>('select id from accounts.tenant')
  const ids = await seedPayments(pool, { ...demo, id: rows[0]?.id ?? '', orders })
  const settings: TargetSettings = {
    ...incomplete,
    linkKey: demo.linkKey,
    chains: demo.chains,
    yield: { ...incomplete.yield, strategies },
    files: await writeFiles(folder, demo, chain),
  }
  const cases = [...casesFor(demo, ids), ...graphCases(demo.apiKey, ids), ...yieldCases(demo.apiKey, chain.wallets)]
  return { pool, settings, dataDir, cases, lastSeeded: ids.at(-1) ?? '', apiKey: demo.apiKey, known: new Map() }
}

/** The strategies of the product's own sandbox, whose markets are those of every sandbox. */
async function readStrategies(port: number, { apiKey }: Demo): Promise<object> {
  const response = await fetch(`http://127.0.0.1:${port}/yield/strategies`, { headers: { 'x-api-key': apiKey } })
  return ((await response.json()) as { data: object }).data
}

/** What tells the product of the chain that all targets ask. */
async function writeFiles(folder: string, demo: Demo, { chain, markets }: YieldChain) {
  const files = { chains: join(folder, 'chains.json'), yieldMarkets: join(folder, 'yield-markets.json') }
  await writeFile(files.chains, JSON.stringify([...demo.chains, chain]))
  await writeFile(files.yieldMarkets, JSON.stringify(markets))
  return files
}

/** The order changes from round to round, so that no target is always the one after the same other. */
function rotated<T>(items: readonly T[], by: number): T[] {
  return items.map((_, index) => items[(index + by) % items.length] as T)
}

async function measureTarget(bench: Bench, target: TargetName, round: number): Promise<Measurement[]> {
  const { pool, settings, dataDir, cases, lastSeeded, known } = bench
  const running = await startTarget(target, settings, dataDir)
  const measurements: Measurement[] = []
  try {
    for (const measured of cases.filter(({ requests }) => requests[target] !== undefined)) {
      const exchanges = await learnAnswers(running.port, target, measured, known)
      const load = (durationMs: number, part: string): Promise<LoadResult> =>
        runLoad({
          ...{ port: running.port, exchanges, durationMs },
          ...(measured.connections !== undefined && { connections: measured.connections }),
          ...(measured.writes && {
            unique: { header: 'idempotency-key', prefix: `bench-${target}-${round}-${part}-` },
          }),
        })
      const warmUp = await load(WARM_UP_MS, 'warm-up')
      // Compiling is no part of what an answer takes of the processor.
      const cpuMsBefore = await running.cpuMs()
      const result = await load(MEASURED_MS, 'measured')
      const cpuMs = ((await running.cpuMs()) - cpuMsBefore) / result.allAnswers
      const wrong = warmUp.wrong + result.wrong
      if (wrong > 0)
        throw new Error(`${target}, ${measured.name}: ${wrong} wrong: ${warmUp.firstWrong ?? result.firstWrong}`)
      if (measured.writes)
        await checkRegistered(pool, lastSeeded, warmUp.allAnswers + result.allAnswers + exchanges.length)
      measurements.push({ case: measured.name, target, round, result, cpuMs })
      console.log(
        `round ${round + 1}  ${measured.name.padEnd(16)} ${target.padEnd(12)} ${Math.round(result.requestsPerSecond)} req/s`,
      )
    }
  } finally {
    await running.stop()
  }
  return measurements
}

/** An answer says that a payment is stored: payment, event and idempotency key have to be there, once. */
async function checkRegistered(pool: pg.Pool, lastSeeded: string, answers: number): Promise<void> {
  const { payments, events, keys } = await countRegistered(pool, lastSeeded)
  if (payments !== answers || events !== answers || keys !== answers) {
    throw new Error(`${answers} answers, but ${payments} payments, ${events} events, ${keys} idempotency keys`)
  }
  await removeRegistered(pool, lastSeeded)
}

await main()
process.exit()
