import { sendBareTransfers } from './bare-transfers.js'
import { measureFirstAttempts } from './first-attempts.js'
import { startProductHarness, type ProductHarness } from './product-harness.js'
import { settleCharges } from './settle-charges.js'

const CHARGES = 500
const EVENTS_PER_SECOND = [50, 200]
const WARM_UP_MS = 5_000
const MEASURED_MS = 10_000
/** Charges that are settled before anything is measured, so that V8 has compiled what is hot. */
const WARM_UP_CHARGES = 30

/**
 * Measures, on the whole product, how fast confirmed charges are settled and how soon events reach their receivers, and
 * prints it. `taskset -c 0,1` before the command gives the figures of two cores.
 * @param wanted only cases whose names contain it
 * @throws Error where a charge was not paid out exactly once, or an event did not arrive
 */
export async function measureSettlement(wanted: string): Promise<void> {
  const world = await startProductHarness()
  try {
    for (const [name, run] of CASES) {
      if (!name.includes(wanted)) continue
      console.log(`${name.padEnd(18)} ${await run(world)}`)
    }
  } finally {
    await world.close()
  }
}

const CASES: readonly [string, (world: ProductHarness) => Promise<string>][] = [
  ['settle polygon', (world) => settle(world, 'polygon')],
  ['settle solana', (world) => settle(world, 'solana')],
  ...EVENTS_PER_SECOND.map(
    (eventsPerSecond) =>
      [`webhooks ${eventsPerSecond}/s`, (world: ProductHarness) => tell(world, eventsPerSecond)] as [
        string,
        (world: ProductHarness) => Promise<string>,
      ],
  ),
]

async function settle(world: ProductHarness, chain: 'polygon' | 'solana'): Promise<string> {
  await settleCharges(world, chain, WARM_UP_CHARGES)
  const bare = await sendBareTransfers(world, chain, CHARGES)
  const { chargesPerSecond, p50Ms, p99Ms, cpuMs } = await settleCharges(world, chain, CHARGES)
  return [
    `${chargesPerSecond.toFixed(1)} charges/s`,
    `bare transfers ${bare.toFixed(1)}/s`,
    `ratio ${(chargesPerSecond / bare).toFixed(2)}`,
    `confirmation to success p50 ${Math.round(p50Ms)} ms, p99 ${Math.round(p99Ms)} ms`,
    `CPU ${cpuMs.toFixed(1)} ms a charge`,
  ].join('  ')
}

async function tell(world: ProductHarness, eventsPerSecond: number): Promise<string> {
  const figures = await measureFirstAttempts(world, { eventsPerSecond, warmUpMs: WARM_UP_MS, durationMs: MEASURED_MS })
  const { p50Ms, p99Ms } = figures
  return [
    `${figures.eventsPerSecond.toFixed(1)} events/s`,
    `commit to first attempt p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`,
  ].join('  ')
}
