import type { KycDeps } from '../deps.js'
import type { Access } from '../store/access-log.js'

/** The job by which another subgraph has accesses written down, e.g. to what a webhook delivery tells of people. */
export const NOTE_KYC_ACCESS = 'note-kyc-access'

/** What was read of people elsewhere; `at` is ISO 8601. */
export interface NotedAccesses {
  at: string
  accesses: readonly Omit<Access, 'operation'>[]
}

/** Appends them to the access log. A crash between that and the job's end appends them once more: better twice than not. */
export async function noteAccesses(
  { accessLog }: Pick<KycDeps, 'accessLog'>,
  { at, accesses }: NotedAccesses,
): Promise<void> {
  const read = accesses.map((access) => ({ ...access, operation: 'read-webhook-delivery' }))
  await accessLog.append(read, new Date(at))
}
