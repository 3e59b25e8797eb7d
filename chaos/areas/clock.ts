import type { FaultArea } from '../fault.js'
import { between, pick } from '../random.js'
import type { ProductProcess } from '../processes/product-process.js'
import { namedIn } from './process.js'

/** As far as machines are apart whose clocks nobody looks after. */
const SKEW_MAX_SECONDS = 5

/** Processes that come back with a clock of their own, and keep it: clocks that differ are no fault that ends. */
export function clockArea(processes: readonly ProductProcess[]): FaultArea {
  const named = namedIn(processes)
  const names = processes.map(({ name }) => name)
  return {
    area: 'clock',
    draw: (random) => ({
      kind: 'skew',
      target: pick(random, names),
      forMs: 0,
      details: { seconds: between(random, -SKEW_MAX_SECONDS, SKEW_MAX_SECONDS) },
    }),
    begin: async ({ target, details }) => {
      const process = named(target)
      await process.stop()
      return async () => {
        process.start({ SANDBOX_CLOCK_SKEW_SECONDS: String(details['seconds']) })
      }
    },
  }
}
