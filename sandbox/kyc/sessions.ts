import { randomBytes, randomUUID } from 'node:crypto'
import type { Clock } from '../../kernel/clock.js'
import { readKept, writePrivate } from '../private-file.js'
import { isUnfinished, statusByTime, type DiditStatus, type SimulatedSession } from './session.js'

/** What a caller asks for with `POST /v3/session/`. */
export type SessionRequest = Pick<SimulatedSession, 'workflowId' | 'vendorData' | 'callback' | 'metadata'>

/** The simulator's own store of sessions. */
export interface SimulatedSessions {
  createOrResume(request: SessionRequest): SimulatedSession
  find(id: string): SimulatedSession | undefined
  findByToken(token: string): SimulatedSession | undefined
  /** Those that somebody can go on with, oldest first. */
  unfinished(): SimulatedSession[]
  change(
    session: SimulatedSession,
    change: Partial<Pick<SimulatedSession, 'status' | 'isBlocklisted' | 'isVpn' | 'document'>>,
  ): void
  remove(session: SimulatedSession): void
  /** Sessions that time alone has ended by now; they are changed already. */
  endByTime(): SimulatedSession[]
}

/** Sessions in memory, and in a file where they have to survive a restart. */
export function createSessions({ file, clock }: { file: string | undefined; clock: Clock }): SimulatedSessions {
  const kept = readKept<SimulatedSession[]>(file) ?? []
  const sessions = new Map(kept.map((session) => [session.id, session]))
  const now = (): number => clock.now().getTime()

  function save(): void {
    if (file !== undefined) writePrivate(file, JSON.stringify([...sessions.values()]))
  }

  function setStatus(session: SimulatedSession, status: DiditStatus): void {
    session.status = status
    session.changedAt = now()
  }

  return {
    createOrResume(request) {
      const known = [...sessions.values()].find(
        (session) =>
          request.vendorData !== null &&
          session.vendorData === request.vendorData &&
          session.workflowId === request.workflowId &&
          isUnfinished(session),
      )
      const session: SimulatedSession = known ?? {
        id: randomUUID(),
        number: sessions.size + 1,
        token: randomBytes(9).toString('base64url'),
        status: 'Not Started',
        isBlocklisted: false,
        isVpn: false,
        createdAt: now(),
        changedAt: now(),
        ...request,
      }
      Object.assign(session, { callback: request.callback, metadata: request.metadata })
      sessions.set(session.id, session)
      save()
      return session
    },
    find: (id) => sessions.get(id),
    findByToken: (token) => [...sessions.values()].find((session) => session.token === token),
    unfinished: () => [...sessions.values()].filter(isUnfinished),
    change(session, { status, ...flags }) {
      Object.assign(session, flags)
      if (status !== undefined) setStatus(session, status)
      save()
    },
    remove(session) {
      sessions.delete(session.id)
      save()
    },
    endByTime() {
      const ended = [...sessions.values()].filter((session) => {
        const status = statusByTime(session, now())
        if (status) setStatus(session, status)
        return status !== undefined
      })
      if (ended.length > 0) save()
      return ended
    },
  }
}
