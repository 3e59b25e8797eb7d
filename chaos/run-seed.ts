import { setTimeout as delay } from 'node:timers/promises'
import type { Area, Fault } from './fault.js'
import { openEvmPurse, type EvmPurse } from './load/evm-purse.js'
import { startLoad, type RunningLoad } from './load/load.js'
import { judge } from './oracle/judge.js'
import { untilQuiet } from './oracle/quiet.js'
import { play } from './play.js'
import { scheduleOf } from './schedule.js'
import type { Finding, JournalEntry, HarnessView } from './view.js'
import type { Harness } from './harness/harness.js'

/** A load that has met the faults of a seed; its clients still wait for what they were promised. */
export interface Attack {
  seed: number
  faults: readonly Fault[]
  view: HarnessView
  load: RunningLoad
  /** What the harness itself could not do. */
  failures: readonly string[]
}

/** What one seed showed. */
export interface SeedResult extends Pick<Attack, 'seed' | 'faults'> {
  findings: readonly Finding[]
  journal: readonly JournalEntry[]
  /** From the end of the faults until the oracle found nothing any more, or gave up. */
  restedAfterMs: number
}

/** Clients that begin in a second: as many as two cores can serve beside everything else that runs here. */
const FLOWS_PER_SECOND = 4
const TENANTS = 2
const READY_WITHIN_MS = 60_000
/** How long money may still move once all faults are over: one gas payer serves all that the seeds have left behind. */
const MOVES_MS = 600_000
/** The time that is left, once nothing moves any more, for what is only asked for each minute. */
const REST_MS = 60_000
/** The part of it in which clients still ask how their payments ended. */
const CLIENTS_REST_MS = 25_000
const JUDGE_AGAIN_MS = 2_000

/** The money of a harness's payers. */
const purses = new WeakMap<Harness, EvmPurse>()

/**
 * Runs a load on new tenants while the faults of a seed happen. When it returns, all faults are over.
 * @param options.only the areas that faults come from; all of them where left out
 */
export async function attack(
  harness: Harness,
  options: { seed: number; minutes: number; only?: readonly Area[] | undefined },
): Promise<Attack> {
  const { seed, minutes, only } = options
  const areas = harness.areas.filter(({ area }) => only === undefined || only.includes(area))
  const faults = scheduleOf({ seed, minutes, areas })
  await harness.untilReady(READY_WITHIN_MS)
  const view = await harness.view(TENANTS)
  const evm = purses.get(harness) ?? openEvmPurse(view)
  if (!purses.has(harness)) await evm.prepare()
  purses.set(harness, evm)
  const load = await startLoad(view, { seed, perSecond: FLOWS_PER_SECOND, evm })
  const failures = await play(faults, areas, minutes * 60_000)
  return { seed, faults, view, load, failures }
}

/**
 * Lets the harness come to rest after attacks, and judges what each has left. The first one also has what the processes did.
 * @param restMs how long what is still on its way may take once no money moves, in milliseconds
 */
export async function settle(harness: Harness, attacks: readonly Attack[], restMs = REST_MS): Promise<SeedResult[]> {
  const startMs = performance.now()
  const [journals, comesBack] = await Promise.all([
    Promise.all(attacks.map(({ load }) => load.stop(CLIENTS_REST_MS))),
    readinessOf(harness),
  ])
  const [first] = attacks
  if (first) await untilQuiet(first.view.databaseUrl, MOVES_MS)
  const deadlineMs = performance.now() + restMs
  const results: SeedResult[] = []
  for (const [index, { seed, faults, view, failures, load }] of attacks.entries()) {
    const journal = journals[index] ?? []
    const left = await untilNothingIsFound(harness, view, journal, deadlineMs)
    const ofProcesses = index === 0 ? [...harness.takeFindings(), ...comesBack] : []
    const ofHarness = [...failures, ...load.failures].map((text) => ({ promise: 'harness', text }))
    const findings = [...ofHarness, ...ofProcesses, ...left]
    results.push({ seed, faults, journal, findings, restedAfterMs: performance.now() - startMs })
  }
  return results
}

async function readinessOf(harness: Harness): Promise<Finding[]> {
  return harness.untilReady(REST_MS).then(
    () => [],
    (error: unknown) => [{ promise: 'pools', text: String(error) }],
  )
}

/** What is still on its way is no finding yet: asks until nothing is found, or the time is over. */
async function untilNothingIsFound(
  harness: Harness,
  view: HarnessView,
  journal: readonly JournalEntry[],
  deadlineMs: number,
): Promise<Finding[]> {
  for (;;) {
    const findings = await judge(view, journal, harness.received(view))
    if (findings.length === 0 || performance.now() > deadlineMs) return findings
    await delay(JUDGE_AGAIN_MS)
  }
}
