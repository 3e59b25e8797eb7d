import { csvLine } from '../parts/csv.js'
import type { ShownEntry } from './shown.js'

const BEFORE = ['id', 'at', 'tenantId', 'actorKind', 'actorId', 'actorEmail', 'operation'] as const
const BEHIND = ['address', 'agent', 'requestId', 'outcome', 'resultId'] as const

/** The columns of the command line's export, but for the number. */
export const AUDIT_HEADING = csvLine([...BEFORE, 'subjects', ...BEHIND])

/** An act as a line of CSV. */
export function auditCsv(entry: ShownEntry): string {
  const cells = (names: readonly (typeof BEFORE | typeof BEHIND)[number][]): string[] =>
    names.map((name) => entry[name] ?? '')
  return csvLine([...cells(BEFORE), JSON.stringify(entry.subjects), ...cells(BEHIND)])
}
