import type { FaultArea } from '../fault.js'
import { between, pick, pickWeighted } from '../random.js'
import type { ProductProcess } from '../processes/product-process.js'

/** Processes that die, stand still for a while, or are told to end, as at a new release. */
export function processArea(processes: readonly ProductProcess[]): FaultArea {
  const named = namedIn(processes)
  const names = processes.map(({ name }) => name)
  return {
    area: 'process',
    draw: (random) => {
      const target = pick(random, names)
      const [kind, forMs] = pickWeighted(random, [
        [['kill', between(random, 0, 4_000)] as const, 3],
        [['freeze', between(random, 1_000, 8_000)] as const, 3],
        [['stop', 0] as const, 2],
      ])
      return { kind, target, forMs, details: {} }
    },
    begin: async ({ kind, target }) => {
      const process = named(target)
      if (kind === 'freeze') {
        process.freeze()
        return async () => {
          process.thaw()
        }
      }
      if (kind === 'kill') await process.kill()
      else await process.stop()
      return async () => {
        process.start()
      }
    },
  }
}

/** Finds a process by its name. */
export function namedIn(processes: readonly ProductProcess[]): (name: string) => ProductProcess {
  return (name) => {
    const process = processes.find((candidate) => candidate.name === name)
    if (!process) throw new Error(`there is no process ${name}`)
    return process
  }
}
