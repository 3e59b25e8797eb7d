import { sendBareTransfers } from './bare-transfers.js'
import { measureFirstAttempts } from './first-attempts.js'
import { startProductHarness, type ProductHarness } from './product-harness.js'
import { settleCharges } from './settle-charges.js'
import { settleSteadily } from './settle-steadily.js'
import { settleWaiting } from './settle-waiting.js'

const CHARGES = 500
const EVENTS_PER_SECOND = [50, 200]
const WARM_UP_MS = 5_000
const MEASURED_MS = 10_000
/** Payouts that wait together where the command does not say how many, and those that were paid before. */
const WAITING = { polygon: 20_000, solana: 4_000 }
const WARM_UP_WAITING = 200
/** As many show how fast the node takes them, signed one by one. */
const BARE = 2_000
/** What memory is compared with: as many that wait at most, wave after wave, until the process holds what it holds when it is at work. */
const FEW = { waiting: 1_000, waves: 10 }
const STEADY = { perSecond: 50, durationMs: 30_000 }
/** Charges that are settled before anything is measured, so that V8 has compiled what is hot. */
const WARM_UP_CHARGES = 30

/**
 * Measures, on the whole product, how fast confirmed charges are settled and how soon events reach their receivers, and
 * prints it. `taskset -c 0,1` before the command gives the figures of two cores.
 * @param wanted only cases whose names contain it
 * @param waiting how many payouts wait together, where the case is about that
 * @throws Error where a charge was not paid out exactly once, or an event did not arrive
 */
export async function measureSettlement(wanted: string, waiting?: number): Promise<void> {
  for (const chain of ['polygon', 'solana'] as const) {
    const name = `waiting ${chain}`
    if (name.includes(wanted)) console.log(`${name.padEnd(18)} ${await payWaiting(chain, waiting)}`)
  }
  if ('steady polygon'.includes(wanted)) console.log(`${'steady polygon'.padEnd(18)} ${await paySteadily()}`)
  if (!CASES.some(([name]) => name.includes(wanted))) return
  const harness = await startProductHarness()
  try {
    for (const [name, run] of CASES) {
      if (!name.includes(wanted)) continue
      console.log(`${name.padEnd(18)} ${await run(harness)}`)
    }
  } finally {
    await harness.close()
  }
}

const CASES: readonly [string, (harness: ProductHarness) => Promise<string>][] = [
  ['settle polygon', (harness) => settle(harness, 'polygon')],
  ['settle solana', (harness) => settle(harness, 'solana')],
  ...EVENTS_PER_SECOND.map(
    (eventsPerSecond) =>
      [`webhooks ${eventsPerSecond}/s`, (harness: ProductHarness) => tell(harness, eventsPerSecond)] as [
        string,
        (harness: ProductHarness) => Promise<string>,
      ],
  ),
]

/** A chain with a block every two seconds whose blocks count after five. */
const ENVIRONMENT = { SANDBOX_BLOCK_SECONDS: '2', SANDBOX_CONFIRMATIONS: '5' }

/** Charges that are confirmed one after the other, a tenth as many a second as payouts may leave. */
async function paySteadily(): Promise<string> {
  const harness = await startProductHarness({ environment: ENVIRONMENT })
  try {
    await settleCharges(harness, 'polygon', WARM_UP_CHARGES)
    await settleWaiting(harness, 'polygon', WARM_UP_WAITING, false)
    const { payouts, p50Ms, p99Ms } = await settleSteadily(harness, STEADY)
    return `${payouts} charges, confirmation of the charge to the block p50 ${Math.round(p50Ms)} ms, p99 ${Math.round(p99Ms)} ms`
  } finally {
    await harness.close()
  }
}

/** Payouts that wait together; where the command says how many, after waves of few. */
async function payWaiting(chain: 'polygon' | 'solana', wanted?: number): Promise<string> {
  const count = wanted ?? WAITING[chain]
  const harness = await startProductHarness({ environment: ENVIRONMENT })
  try {
    await settleCharges(harness, chain, 1)
    await settleWaiting(harness, chain, WARM_UP_WAITING, false)
    const fewMb = wanted === undefined ? undefined : await memoryOfFew(harness, chain)
    const figures = await settleWaiting(harness, chain, count)
    const bare = wanted === undefined ? await sendBareTransfers(harness, chain, BARE) : undefined
    return [
      `${figures.payoutsPerSecond.toFixed(0)} payouts/s, ${figures.sustainedPerSecond.toFixed(0)}/s from the first to the last`,
      ...(bare === undefined ? [] : [`bare transfers ${bare.toFixed(0)}/s`]),
      `${figures.payouts} payouts in ${figures.transactions} transactions`,
      `${figures.rpcCalls.toFixed(2)} RPC calls and ${figures.cpuMs.toFixed(2)} ms CPU a payout`,
      `memory ${Math.round(figures.residentMb)} MB`,
      ...(fewMb === undefined ? [] : [`${Math.round(fewMb)} MB where ${FEW.waiting} wait`]),
    ].join('  ')
  } finally {
    await harness.close()
  }
}

/** The most that the process held while few waited at a time, in MB. */
async function memoryOfFew(harness: ProductHarness, chain: 'polygon' | 'solana'): Promise<number> {
  let mostMb = 0
  for (let wave = 0; wave < FEW.waves; wave += 1) {
    const { residentMb } = await settleWaiting(harness, chain, FEW.waiting, false)
    mostMb = Math.max(mostMb, residentMb)
  }
  return mostMb
}

async function settle(harness: ProductHarness, chain: 'polygon' | 'solana'): Promise<string> {
  await settleCharges(harness, chain, WARM_UP_CHARGES)
  const bare = await sendBareTransfers(harness, chain, CHARGES)
  const { chargesPerSecond, p50Ms, p99Ms, cpuMs } = await settleCharges(harness, chain, CHARGES)
  return [
    `${chargesPerSecond.toFixed(1)} charges/s`,
    `bare transfers ${bare.toFixed(1)}/s`,
    `ratio ${(chargesPerSecond / bare).toFixed(2)}`,
    `confirmation to success p50 ${Math.round(p50Ms)} ms, p99 ${Math.round(p99Ms)} ms`,
    `CPU ${cpuMs.toFixed(1)} ms a charge`,
  ].join('  ')
}

async function tell(harness: ProductHarness, eventsPerSecond: number): Promise<string> {
  const figures = await measureFirstAttempts(harness, {
    eventsPerSecond,
    warmUpMs: WARM_UP_MS,
    durationMs: MEASURED_MS,
  })
  const { p50Ms, p99Ms } = figures
  return [
    `${figures.eventsPerSecond.toFixed(1)} events/s`,
    `commit to first attempt p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`,
  ].join('  ')
}
