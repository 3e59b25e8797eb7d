import { setTimeout as delay } from 'node:timers/promises'
import type { EndFault, Fault, FaultArea } from './fault.js'

/**
 * Lets the faults of a schedule happen, each at its time, and ends them all.
 * @returns what the harness itself could not do: such a run proves nothing about what was meant to go wrong
 */
export async function play(faults: readonly Fault[], areas: readonly FaultArea[], totalMs: number): Promise<string[]> {
  const startMs = performance.now()
  const until = (ms: number): Promise<void> => delay(Math.max(0, startMs + ms - performance.now()))
  const failures: string[] = []
  const playOne = async (fault: Fault): Promise<void> => {
    const area = areas.find((candidate) => candidate.area === fault.area)
    if (!area) return
    await until(fault.atMs)
    let end: EndFault | undefined
    try {
      end = await area.begin(fault)
      await until(fault.atMs + fault.forMs)
    } finally {
      await end?.()
    }
  }
  await Promise.all([
    until(totalMs),
    ...faults.map((fault) =>
      playOne(fault).catch((error: unknown) => {
        failures.push(`a fault could not be done: ${fault.area} ${fault.kind} on ${fault.target}: ${String(error)}`)
      }),
    ),
  ])
  return failures
}
