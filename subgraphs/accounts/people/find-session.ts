import type { PeopleDeps } from './deps.js'
import type { StoredSession } from './store/sessions.js'

/** How long a session lives that nobody uses, and how long any lives. */
const IDLE_MS = 12 * 3_600_000
const LIFE_MS = 7 * 86_400_000

/** Its last use is written down once a minute: it is looked up every few seconds. */
const TOUCH_MS = 60_000

/** A session that is open now. */
export interface ConsoleSession extends StoredSession {
  isOperator: boolean
  /** When it ends where nobody uses it. */
  expiresAt: Date
}

type FindSessionDeps = Pick<PeopleDeps, 'clock' | 'sessions' | 'settings'>

/** How a session is looked up. */
interface SessionLook {
  /** Whether a person does something; a page that is only left open renews nothing. */
  isUse?: boolean
  /** The tenant that is looked at, null for the deployment; left out, the one that was chosen last. */
  tenantId?: string | null | undefined
}

/**
 * The session of a cookie by its hash; undefined where it was ended or has run out. It looks at no tenant where its person does not
 * belong to the one that is asked for.
 */
export async function findSession(
  deps: FindSessionDeps,
  hash: string,
  { isUse = true, tenantId }: SessionLook = {},
): Promise<ConsoleSession | undefined> {
  const session = await deps.sessions.find(hash, tenantId)
  if (!session) return undefined
  const now = deps.clock.now()
  if (endOf(session) <= now) return undefined
  const isStale = isUse && now.getTime() - session.lastUsedAt.getTime() >= TOUCH_MS
  if (isStale) await deps.sessions.touch(hash, now)
  const used = isStale ? { ...session, lastUsedAt: now } : session
  return { ...used, isOperator: deps.settings.operatorEmails.has(session.email), expiresAt: endOf(used) }
}

/** Before which moments a session was made, or used last, that is over now. */
export function overBefore(now: Date): { created: Date; used: Date } {
  return { created: new Date(now.getTime() - LIFE_MS), used: new Date(now.getTime() - IDLE_MS) }
}

function endOf({ createdAt, lastUsedAt }: StoredSession): Date {
  return new Date(Math.min(createdAt.getTime() + LIFE_MS, lastUsedAt.getTime() + IDLE_MS))
}
