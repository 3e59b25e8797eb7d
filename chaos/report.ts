import type { SeedResult } from './run-seed.js'
import { printed } from './schedule.js'
import type { Finding } from './view.js'

/** One line for a seed. */
export function summary({ seed, faults, findings, journal, restedAfterMs }: SeedResult): string {
  const verdict = findings.length === 0 ? 'ok' : `${findings.length} findings`
  const unanswered = journal.filter(({ status }) => status === 0).length
  return [
    `seed ${seed}: ${verdict}`,
    `${faults.length} faults`,
    `${journal.length} calls, ${unanswered} of them without an answer`,
    `at rest after ${(restedAfterMs / 1000).toFixed(1)} s`,
  ].join(', ')
}

/** All that is needed to look for the cause. @param folder the harness's */
export function report({ faults, findings }: SeedResult, folder: string): string {
  const parts = [
    '',
    'Findings',
    ...findings.map(findingLine),
    '',
    'Schedule',
    printed(faults),
    '',
    `Logs: ${folder}/logs`,
  ]
  return [...parts, ''].join('\n')
}

/** A finding as a line of a report. */
export function findingLine({ promise, text }: Finding): string {
  return `  ${promise}: ${text}`
}
