import { actorOf, subjectsOf, type ActOutcome, type AuditLog } from './audit.js'
import { AppError } from './errors.js'
import type { Logger } from './log.js'
import { isAuditedForKeys } from './permissions.js'
import type { Caller } from './tenant.js'

type Handler = (...args: unknown[]) => unknown

/** What resolvers are given, as far as the log asks for it. */
interface Context {
  caller: Caller
  requestId: string
  log: Logger
  audit?: AuditLog
}

/**
 * Has mutations written down: all of what people do, and what keys do with money or webhooks. The entry is there before the
 * act is done, and what came of it after that: no crash leaves an act without its entry, and an entry without an outcome
 * tells of an act of which it is not known whether it was done. A mutation needs to do nothing for it, so none forgets it.
 * @param handlers the resolvers of `Mutation` by field, changed in place
 * @param isOwn whether a field is for other parts of the product only: what they act for is written down already
 */
export function writeActsDown(handlers: Record<string, unknown>, isOwn: (field: string) => boolean): void {
  for (const [field, handler] of Object.entries(handlers) as [string, Handler][]) {
    if (isOwn(field)) continue
    const isForKeys = isAuditedForKeys(field)
    handlers[field] = (...args: unknown[]): unknown => {
      const context = args[2] as Context
      if (context.caller.person === undefined && !isForKeys) return handler(...args)
      return writtenDown(field, args[1] as object, context, async () => handler(...args))
    }
  }
}

async function writtenDown(
  operation: string,
  args: object,
  { caller, requestId, log, audit }: Context,
  act: () => Promise<unknown>,
): Promise<unknown> {
  // A subgraph that runs by itself, as in its own tests, has no log.
  if (!audit) return act()
  const entry = await audit.begin({ ...actorOf(caller), operation, subjects: subjectsOf(args), requestId })
  const end = async (outcome: ActOutcome): Promise<void> => {
    try {
      await audit.end(entry, outcome)
    } catch (error) {
      // The act is done: it must not look as if it had failed. Its entry says that the outcome is not known.
      log.error({ requestId, err: error }, 'the outcome of an act was not written down')
    }
  }
  try {
    const result = await act()
    await end(outcomeOf(result))
    return result
  } catch (error) {
    await end({ outcome: error instanceof AppError ? error.code : 'server_error', resultId: null })
    throw error
  }
}

/** What the payload of a mutation tells: the first of its errors, or the id of what it holds. */
function outcomeOf(payload: unknown): ActOutcome {
  const { errors = [], ...made } = payload as { errors?: readonly { code: string }[] } & Record<string, unknown>
  const [error] = errors
  if (error) return { outcome: error.code.toLowerCase(), resultId: null }
  return { outcome: 'done', resultId: idIn(Object.values(made)[0]) }
}

/** The id of a thing, or of the one that it holds, as a created key does. */
function idIn(thing: unknown): string | null {
  if (typeof thing !== 'object' || thing === null) return null
  const { id } = thing as { id?: unknown }
  if (typeof id === 'string') return id
  const held = Object.values(thing).find((value) => typeof (value as { id?: unknown } | null)?.id === 'string')
  return held === undefined ? null : (held as { id: string }).id
}
