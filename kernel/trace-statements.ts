import { context, SpanKind, SpanStatusCode, trace, TraceFlags, type Attributes, type Span } from '@opentelemetry/api'
import type { Pool, PoolClient } from 'pg'
import { beginChild } from './tracing.js'

/** A statement as pg takes it, as far as it is told of. */
interface Statement {
  name: string | undefined
  text: string
}

type Done = (error: unknown, result: unknown) => void

/**
 * Has each connection of a pool tell of its statements: a span below the one that is under way, and none where there is none,
 * so that what looks after itself in the background tells nothing. A prepared statement is told by its name and its text,
 * which has placeholders. Of any other only the verb and the table are: MikroORM writes the values into it.
 */
export function traceStatements(pool: Pool): void {
  pool.on('connect', traceConnection)
  // A pool that is dry hands connections on while another request gives one back, and would run this one in its trace.
  const connect = pool.connect.bind(pool) as (callback?: unknown) => unknown
  pool.connect = ((callback?: unknown) =>
    connect(callback === undefined ? undefined : context.bind(context.active(), callback))) as Pool['connect']
}

function traceConnection(client: PoolClient): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown
  client.query = ((...given: unknown[]) => {
    const statement = isTraced() ? statementOf(given[0]) : undefined
    if (!statement) return query(...given)
    const { name, attributes } = about(statement)
    const span = beginChild(name, { kind: SpanKind.CLIENT, attributes })
    const last = given.at(-1)
    if (typeof last === 'function') {
      const done: Done = (error, result) => {
        end(span, error)
        ;(last as Done)(error, result)
      }
      return query(...given.slice(0, -1), done)
    }
    const answer = query(...given) as Promise<unknown>
    answer.then(
      () => end(span, undefined),
      (error: unknown) => end(span, error),
    )
    return answer
  }) as PoolClient['query']
}

/** Whether a span is under way that is told of: in a process of subgraphs it is the gateway's, which nobody records here. */
function isTraced(): boolean {
  const flags = trace.getActiveSpan()?.spanContext().traceFlags ?? TraceFlags.NONE
  return (flags & TraceFlags.SAMPLED) !== 0
}

/** What pg was given, where it is a statement: a cursor or a stream runs by itself. */
function statementOf(given: unknown): Statement | undefined {
  if (typeof given === 'string') return { name: undefined, text: given }
  const { name, text, submit } = (given ?? {}) as { name?: unknown; text?: unknown; submit?: unknown }
  if (typeof text !== 'string' || typeof submit === 'function') return undefined
  return { name: typeof name === 'string' ? name : undefined, text }
}

/** The tables are ours: a value that reads like one of another name is none. */
const TABLE =
  /\b(?:from|into|update|join)\s+"?(accounts|graphile_worker|kernel|kyc|orders|payments|yield)"?\."?(\w{1,60})/i

/** The words of SQL that begin a statement; anything else is told as a statement. */
const VERBS: ReadonlySet<string> = new Set(
  'select insert update delete with begin commit rollback savepoint release set show lock listen notify'.split(' '),
)

/** The longest statement is told this far: a request has many of them. */
const TEXT_MAX = 1_000

/** What the span of a statement is called, and what it says. The names follow OpenTelemetry's conventions for databases. */
function about({ name, text }: Statement): { name: string; attributes: Attributes } {
  const first = /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? ''
  const verb = VERBS.has(first) ? first : 'statement'
  const [, schema, table] = TABLE.exec(text) ?? []
  const collection = schema !== undefined && table !== undefined ? `${schema}.${table}`.toLowerCase() : undefined
  return {
    name: `db ${name ?? [verb, collection].filter((word) => word !== undefined).join(' ')}`,
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': verb,
      ...(collection !== undefined && { 'db.collection.name': collection }),
      ...(name !== undefined && { 'db.query.text': text.slice(0, TEXT_MAX) }),
    },
  }
}

/** Ends the span. An error is told by its SQLSTATE: its text names values. */
function end(span: Span, error: unknown): void {
  if (error) {
    const { code } = error as { code?: unknown }
    const message = typeof code === 'string' && /^\w{1,40}$/.test(code) ? code : 'error'
    span.setStatus({ code: SpanStatusCode.ERROR, message })
  }
  span.end()
}
