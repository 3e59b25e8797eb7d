import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../kernel/clock.js'
import { AppError } from '../../kernel/errors.js'
import type { RequestContext } from '../../kernel/subgraph.js'
import { assertScope } from '../../kernel/permissions.js'
import type { Caller } from '../../kernel/tenant.js'
import type { EventStreams, StreamEvent } from './event-streams.js'
import { paymentNews, startOfPayment, type NewsDeps, type PaymentNews } from './payment-news.js'
import { placeOf, tenantNews } from './tenant-news.js'

/** How many streams one key, one tenant, and all of them may have open in a process. */
export const STREAM_LIMITS = { perKey: 20, perTenant: 500, total: 5_000 } as const

/** What live updates run on. */
export interface LiveDeps extends NewsDeps {
  streams: EventStreams
  /** Whose key or session it is now; null once it is revoked, ended or expired. */
  callerOf: (keyHash: string) => Caller | null | Promise<Caller | null>
  clock: Clock
}

/** What is followed: a payment, or all of the tenant's where `paymentId` is undefined. */
export interface Followed {
  context: RequestContext
  keyHash: string
  paymentId: string | undefined
  lastEventId: string | undefined
}

/** How changes are told. */
export interface Telling {
  /**
   * Makes an event of a change, as it is now allowed to be seen.
   * @returns undefined where there is nothing to tell
   */
  show: (news: PaymentNews, context: RequestContext) => Promise<StreamEvent | undefined>
  /**
   * Ends once the next one may be told; left out where each may be at once. Gives what is to be told before, as that it is late.
   * @returns false where the stream has ended meanwhile
   */
  mayTell?: (signal: AbortSignal) => AsyncGenerator<StreamEvent, boolean>
}

/**
 * Answers a request with the changes that it follows.
 * @throws before anything is answered: customer_not_logged, permission_denied, payment_not_found, validation_error on `last-event-id`,
 *   too_many_streams
 */
export async function streamNews(
  deps: LiveDeps,
  { context, keyHash, paymentId, lastEventId }: Followed,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { show, mayTell }: Telling,
): Promise<void> {
  const { tenantId } = context.caller
  if (tenantId === null) throw new AppError('customer_not_logged')
  assertScope(context.caller, 'payments:read')
  // Still who opened the stream, with the same role at the same tenant: others open their own.
  const isSame = (caller: Caller | null): caller is Caller =>
    caller?.tenantId === tenantId && caller.person?.role === context.caller.person?.role
  const newsUntil = await follow(deps, context, paymentId, lastEventId)
  const isOpen = deps.streams.open(request, reply, {
    // A person's tabs count together: each change of a session gives it another hash.
    key: context.caller.person ? context.caller.keyId : keyHash,
    tenantId,
    mayGoOn: async () => isSame(await deps.callerOf(keyHash)),
    feed: async function* (signal) {
      for await (const news of newsUntil(signal)) {
        if (mayTell && !(yield* mayTell(signal))) return
        // A key that was revoked meanwhile, or a session that was ended, is told nothing more; nor who is not the same any more.
        const caller = await deps.callerOf(keyHash)
        if (!isSame(caller)) return
        const event = await show(news, { ...context, caller })
        if (event) yield event
      }
    },
  })
  if (!isOpen) throw new AppError('too_many_streams')
}

async function follow(
  deps: LiveDeps,
  context: RequestContext,
  paymentId: string | undefined,
  lastEventId: string | undefined,
): Promise<(signal: AbortSignal) => AsyncGenerator<PaymentNews>> {
  if (paymentId !== undefined) {
    const after = await startOfPayment(deps, context, paymentId, lastEventId)
    return (signal) => paymentNews(deps, context, { paymentId, after }, signal)
  }
  const place = lastEventId === undefined ? undefined : placeOf(lastEventId, deps.clock)
  return (signal) => tenantNews(deps, context, place, signal)
}

/** The header with which a client goes on where it was; undefined where it begins. */
export function lastEventIdOf({ headers }: FastifyRequest): string | undefined {
  const id = headers['last-event-id']
  return typeof id === 'string' && id !== '' ? id : undefined
}
