import type { GuardedAnswer } from '../../../kernel/address-guard.js'
import { REMEMBERED_MS, type Slots } from './slots.js'

/** How late receivers are: quick ones are not, slow ones need some seconds, hanging ones do not answer before the attempt times out. */
const QUICK = 0
const SLOW = 1
const HANGING = 2
type Lateness = typeof QUICK | typeof SLOW | typeof HANGING

/**
 * Which part of all attempts may be of receivers that are as late, or later. What is left is for the others: however many accounts
 * somebody opens with receivers that hang, they take it once in ten minutes for one attempt's time; and receivers that need their
 * seconds do not compete with those that never answer.
 */
const PARTS = { [QUICK]: 1, [SLOW]: 3 / 4, [HANGING]: 1 / 2 }

/** An attempt under way, or a job that waits for a slot. */
interface Attempt {
  ofTenant: Slots
  lateness: Lateness
}

/** How many attempts are under way, and how late their receivers are. @param attemptsMax that may be */
export function attemptCounts(attemptsMax: number, nowMs: () => number) {
  /** Of each lateness, with what is later: of all attempts under way, and of the jobs that wait for a slot. */
  const counts = { [QUICK]: 0, [SLOW]: 0, [HANGING]: 0 }

  /** Counts an attempt that is begun. @returns undefined where no more may be */
  function begin(ofTenant: Slots): Attempt | undefined {
    const lateness = latenessOf(ofTenant, nowMs())
    if (upTo(lateness).some((each) => counts[each] >= attemptsMax * PARTS[each])) return undefined
    for (const each of upTo(lateness)) counts[each] += 1
    return { ofTenant, lateness }
  }

  function end({ lateness }: Attempt): void {
    for (const each of upTo(lateness)) counts[each] -= 1
  }

  function note(attempt: Attempt, lateness: Lateness): void {
    for (const each of upTo(lateness)) if (each > attempt.lateness) counts[each] += 1
    if (lateness > attempt.lateness) attempt.lateness = lateness
  }

  return {
    begin,
    end,
    /** The receiver of an attempt has kept us waiting. */
    noteSlow: (attempt: Attempt): void => {
      attempt.ofTenant.slowMs = nowMs()
      note(attempt, SLOW)
    },
    /** The receiver of an attempt has not answered in time. */
    noteHanging: (attempt: Attempt): void => {
      attempt.ofTenant.hungMs = nowMs()
      note(attempt, HANGING)
    },
    isCrowded: (): boolean => counts[QUICK] >= attemptsMax / 2,
  }
}

/** Makes a request, and notes how late its receiver is. */
export type Timed = (request: () => Promise<GuardedAnswer>) => Promise<GuardedAnswer>

/** What notes how late the receiver of an attempt is, by each of its requests. */
export function timedFor(
  { noteSlow, noteHanging }: ReturnType<typeof attemptCounts>,
  attempt: Attempt,
  slowAfterMs: number,
): Timed {
  return async (request) => {
    const timer = setTimeout(noteSlow, slowAfterMs, attempt)
    try {
      const answer = await request()
      if ('failure' in answer && answer.failure === 'timeout') noteHanging(attempt)
      return answer
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Whether a receiver of theirs did not answer in time of late. */
export function hungLately({ hungMs }: Pick<Slots, 'hungMs'>, nowMs: number): boolean {
  return isLately(hungMs, nowMs)
}

/**
 * How late their receivers were of late. Quick answers do not make up for one that was late: who mixes them with attempts that hang
 * would be taken for quick each time.
 */
function latenessOf({ slowMs, hungMs }: Slots, nowMs: number): Lateness {
  if (isLately(hungMs, nowMs)) return HANGING
  return isLately(slowMs, nowMs) ? SLOW : QUICK
}

function isLately(atMs: number | undefined, nowMs: number): boolean {
  return atMs !== undefined && atMs > nowMs - REMEMBERED_MS
}

function upTo(lateness: Lateness): Lateness[] {
  return ([QUICK, SLOW, HANGING] as const).filter((each) => each <= lateness)
}
