import { hash } from 'node:crypto'
import type { Pool } from 'pg'

/** Who calls. */
export interface KeyOwner {
  keyId: string
  tenantId: string
}

/** What the guard says of a request. */
export interface Verdict {
  owner: KeyOwner | undefined
  allowed: boolean
  headers: Record<string, string>
}

const KEY_LIFE_MS = 4_000
const WINDOW_SECONDS = 60

interface Entry {
  owner: KeyOwner | undefined
  readAtMs: number
}

/**
 * The authentication that a developer would write by hand, on pg alone: the key's owner cached for 4 seconds as in the product, and a
 * window of 60 seconds per key.
 */
export function handwrittenGuard(
  pool: Pool,
  limitPerMinute: number,
): (key: string | undefined) => Promise<Verdict> | Verdict {
  const known = new Map<string, Entry>()
  const windows = new Map<string, Window>()

  async function lookUp(keyHash: string, nowMs: number): Promise<Verdict> {
    const { rows } = await pool.query<KeyOwner>({
      name: 'bench_key',
      text: `select id as "keyId", tenant_id as "tenantId" from accounts.api_key
        where hash = $1 and revoked_at is null and (expires_at is null or expires_at > now())`,
      values: [keyHash],
    })
    known.set(keyHash, { owner: rows[0], readAtMs: nowMs })
    return count(keyHash, rows[0], nowMs)
  }

  function count(keyHash: string, owner: KeyOwner | undefined, nowMs: number): Verdict {
    const window = windows.get(keyHash) ?? newWindow()
    windows.set(keyHash, window)
    const second = Math.floor(nowMs / 1000)
    dropOld(window, second)
    const allowed = window.total < limitPerMinute
    if (allowed) {
      window.total += 1
      window.counts[second % WINDOW_SECONDS] = (window.counts[second % WINDOW_SECONDS] ?? 0) + 1
    }
    return {
      owner,
      allowed,
      headers: {
        'ratelimit-policy': `"default";q=${limitPerMinute};w=60`,
        ratelimit: `"default";r=${limitPerMinute - window.total};t=${WINDOW_SECONDS}`,
      },
    }
  }

  return (key = '') => {
    const nowMs = Date.now()
    const keyHash = hash('sha256', key, 'hex')
    const entry = known.get(keyHash)
    return entry && nowMs - entry.readAtMs < KEY_LIFE_MS ? count(keyHash, entry.owner, nowMs) : lookUp(keyHash, nowMs)
  }
}

/** Requests of the last 60 seconds, one count a second. */
interface Window {
  counts: number[]
  total: number
  second: number
}

function newWindow(): Window {
  return { counts: new Array<number>(WINDOW_SECONDS).fill(0), total: 0, second: 0 }
}

function dropOld(window: Window, second: number): void {
  const first = Math.max(window.second + 1, second - WINDOW_SECONDS + 1)
  for (let left = first; left <= second; left += 1) {
    window.total -= window.counts[left % WINDOW_SECONDS] ?? 0
    window.counts[left % WINDOW_SECONDS] = 0
  }
  window.second = second
}
