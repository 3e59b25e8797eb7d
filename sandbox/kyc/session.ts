/** Didit's session statuses (docs.didit.me), as far as a session can be put into them by hand. */
export const DIDIT_STATUSES = [
  'Not Started',
  'In Progress',
  'Awaiting User',
  'In Review',
  'Approved',
  'Declined',
  'Resubmitted',
  'Expired',
  'Abandoned',
  'Kyc Expired',
] as const
export type DiditStatus = (typeof DIDIT_STATUSES)[number]

/** Statuses of a session that the same subject continues. */
const UNFINISHED: ReadonlySet<DiditStatus> = new Set([
  'Not Started',
  'In Progress',
  'Awaiting User',
  'In Review',
  'Resubmitted',
])

/** A session as the simulator keeps it. */
export interface SimulatedSession {
  id: string
  number: number
  /** In the hosted page's address: its holder is the subject. */
  token: string
  workflowId: string
  vendorData: string | null
  callback: string | null
  metadata: unknown
  status: DiditStatus
  isBlocklisted: boolean
  isVpn: boolean
  /** The CPF that a look-up has found; null, as where the workflow has none. */
  document?: string | null
  /** Milliseconds of the sandbox's clock. */
  createdAt: number
  changedAt: number
}

/** Whether the same subject would be given this session again. */
export function isUnfinished({ status }: SimulatedSession): boolean {
  return UNFINISHED.has(status)
}

/** A link that is not opened for this long expires; a verification that is left for this long is abandoned. */
export const SESSION_LIFE_MS = 7 * 86_400_000

/** What a session becomes by time alone; undefined where it stays as it is. */
export function statusByTime(session: SimulatedSession, now: number): DiditStatus | undefined {
  if (now - session.changedAt < SESSION_LIFE_MS) return undefined
  if (session.status === 'Not Started') return 'Expired'
  return session.status === 'In Progress' ? 'Abandoned' : undefined
}
