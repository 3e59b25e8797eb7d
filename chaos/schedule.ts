import type { Area, Fault, FaultArea } from './fault.js'
import { between, pickWeighted, randomOf } from './random.js'

/** What draws faults; a schedule needs no more of an area. */
export type Draws = Pick<FaultArea, 'area' | 'draw'>

/** How often an area is hit. Restarts for the clock's sake cost the machine most and show least. */
const WEIGHTS: Readonly<Record<Area, number>> = { pg: 4, rpc: 4, provider: 3, subgraph: 3, process: 2, clock: 1 }

/** From one fault's begin to the next one's, in milliseconds: several overlap, and the harness still gets something done. */
const PAUSE_MS = { from: 300, to: 2_700 }
/** The part of the time in which faults begin; in the rest they end. */
const BEGIN_SHARE = 5 / 6

/**
 * The faults of one run, in the order in which they begin. They follow from the seed, the length and the areas alone.
 * @param options.minutes how long the load runs; every fault has ended by then
 */
export function scheduleOf(options: { seed: number; minutes: number; areas: readonly Draws[] }): Fault[] {
  const random = randomOf(options.seed)
  const totalMs = Math.round(options.minutes * 60_000)
  const choices = options.areas.map((area) => [area, WEIGHTS[area.area]] as const)
  const faults: Fault[] = []
  if (choices.length === 0) return faults
  for (;;) {
    const atMs = (faults.at(-1)?.atMs ?? 0) + between(random, PAUSE_MS.from, PAUSE_MS.to)
    if (atMs > totalMs * BEGIN_SHARE) return faults
    const area = pickWeighted(random, choices)
    const { kind, target, forMs, details } = area.draw(random)
    faults.push({ area: area.area, kind, target, atMs, forMs: Math.min(forMs, totalMs - atMs), details })
  }
}

/** A schedule for people, one fault a line. */
export function printed(faults: readonly Fault[]): string {
  return faults
    .map(({ area, kind, target, atMs, forMs, details }) => {
      const lasts = forMs === 0 ? 'once' : `${seconds(forMs)} s`
      const rest = Object.entries(details).map(([name, value]) => `${name}=${value}`)
      return [
        `${seconds(atMs).padStart(7)} s`,
        area.padEnd(8),
        kind.padEnd(18),
        target.padEnd(22),
        lasts.padStart(8),
        ...rest,
      ]
        .join('  ')
        .trimEnd()
    })
    .join('\n')
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1)
}
