import type { ErrorCode } from '../kernel/errors.js'
import type { Product } from '../kernel/tenant.js'
import type { JsonSchema } from './json-schema.js'

/** The answer of a route that succeeded. */
export interface Reply {
  http: 200 | 201
  status: string
  message: string
}

/** The document that the body decides; as data and not as a function, so that it can be documented too. */
export interface OperationBySent {
  /** The field of the body that decides by being there. */
  sent: string
  then: string
  otherwise: string
}

/** The reply that a field of the operation's own answer decides: the field's value as lower-case text → reply. */
export interface ReplyByAnswer {
  by: string
  replies: Readonly<Record<string, Reply>>
}

/** A field of the contract that says the same in every answer, and how it is documented. */
export interface Constant {
  value: string | number | boolean
  schema: JsonSchema
}

/** Words of a field, each with the words that it stands for, and the field of the graph that takes several; that one is none of REST's. */
interface Widened {
  words: Readonly<Record<string, readonly string[]>>
  by: string
}

/** One endpoint of REST: what varies between them stands here, and nowhere in code. */
export interface Route {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** With `:name` for what the path carries. */
  path: string
  summary: string
  /** The document in `operations/`. */
  operation: string | OperationBySent
  /** Its name in OpenAPI, where that is not the document's in camel case. Clients and tools call it by this name. */
  operationId?: string
  /** The subgraph that knows the operation's rules, asked for all failures of a body whose form is bad already. */
  subgraph: string
  reply: Reply | ReplyByAnswer
  /** Whether every key may use it, whatever its scopes. */
  isOpen?: true
  /** The product without which the path answers 403. */
  product?: Product
  /** The code of a bad body or query; `validation_error` where left out. */
  badInput?: 'invalid_parameters' | 'params_mismatch'
  /** The code of an input of which nothing is wrong but that required fields are absent; that of a bad one where left out. */
  absentInput?: 'missing_params'
  /** The code of an unexpected failure; `server_error` where left out. */
  crash?: 'server_failed'
  /** Whether its query is not read: what it could say stands in the path of another route. */
  ignoresQuery?: true
  /** Other names that a body's fields may have: alias → name. */
  aliases?: Readonly<Record<string, string>>
  /** Whether names of one field that contradict each other are refused: the contract has them all. Of others only the field's own name counts. */
  comparesAliases?: true
  /** Fields of the body that may hold one value where they are lists. */
  lists?: readonly string[]
  /** Words of the query that stand for several, by field. */
  widened?: Readonly<Record<string, Widened>>
  /** Whether null clears a field of the body, where it otherwise counts as absent. */
  nullClears?: true
  /** Fields of the body whose badness alone has a code of its own. */
  badFields?: Readonly<Record<string, ErrorCode>>
  /** Lists of the answer that are objects here: by which field of an item it is keyed. */
  keyed?: Readonly<Record<string, string>>
  /** Fields of the answer that are documented as strings and are empty where there is nothing. */
  blank?: readonly string[]
  /** Values that a field shows by another name here: field → value → name. */
  renamed?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Fields that always say the same, which the graph does not have; the document keeps their places by `__typename`. */
  constants?: Readonly<Record<string, Constant>>
  /** Lists of the answer, and what is shown otherwise in their items; one object as well. */
  items?: Readonly<Record<string, RecordRow>>
  /** Fields that are left out where there is nothing. */
  absent?: readonly string[]
  /** Fields that are "an object or a string": the line that stands for an object that does not apply. */
  insteadOf?: Readonly<Record<string, (input: Readonly<Record<string, unknown>>) => string>>
  /** Whether the fields of `data` stand beside it too, for clients that know the answer without its envelope. */
  bare?: true
  /** The field of the answer that says why what was asked for was refused: its message is the envelope's. */
  refusal?: string
  /** Fields that only the reply needs, and that the answer does not have. */
  hidden?: readonly string[]
  /** What it may answer besides what every route may. */
  errors: readonly ErrorCode[]
}

/** How a record is shown, whichever answer it is in. */
export type RecordRow = Pick<Route, 'blank' | 'renamed' | 'constants'>

/** What every route may answer: the part of the product that it needs may be down, too. */
export const COMMON_ERRORS: readonly ErrorCode[] = [
  'unauthorized',
  'method_not_allowed',
  'provider_unavailable',
  'provider_timeout',
]

/** What every route with a body may answer besides. */
export const BODY_ERRORS: readonly ErrorCode[] = [
  'validation_error',
  'payload_too_large',
  'unsupported_media_type',
  'idempotency_key_reused',
  'idempotency_in_progress',
]

/** What a route may answer besides that puts a signed transaction on a chain and waits for it. */
export const BROADCAST_ERRORS: readonly ErrorCode[] = [
  'broadcast_rejected',
  'broadcast_simulation_failed',
  'broadcast_rpc_unavailable',
  'solana_blockhash_expired',
  'broadcast_confirmation_timeout',
  'confirm_rpc_unavailable',
]

/** What of a route decides which codes it may answer. */
export type CodedRoute = Pick<Route, 'method' | 'errors' | 'isOpen' | 'absentInput' | 'product' | 'badInput' | 'crash'>

/**
 * Every code that a route may answer, in the words that it uses for them: those that every route has, those of a body
 * where it takes one, its own, and its code for what is unexpected.
 */
export function errorsOf(route: CodedRoute): readonly ErrorCode[] {
  const all: ErrorCode[] = [...COMMON_ERRORS, ...route.errors]
  if (!route.isOpen) all.push('permission_denied')
  if (route.absentInput) all.push(route.absentInput)
  if (route.product) all.push('product_disabled')
  if (route.method !== 'GET') all.push(...BODY_ERRORS)
  const codes = all.map((code): ErrorCode => (code === 'validation_error' ? (route.badInput ?? code) : code))
  return [...new Set<ErrorCode>([...codes, route.crash ?? 'server_error'])]
}

/** The names of the documents that a route may run. */
export function operationNames({ operation }: Route): readonly string[] {
  return typeof operation === 'string' ? [operation] : [operation.otherwise, operation.then]
}

/** The name of the document that a route runs for a body; null counts as absent. */
export function operationFor({ operation }: Route, body: Readonly<Record<string, unknown>>): string {
  if (typeof operation === 'string') return operation
  return body[operation.sent] == null ? operation.otherwise : operation.then
}

/** The reply of a route to what its operation answered. */
export function replyFor({ reply }: Route, data: Readonly<Record<string, unknown>>): Reply {
  if ('http' in reply) return reply
  const word = String(data[reply.by]).toLowerCase()
  const found = reply.replies[word]
  if (!found) throw new Error(`no reply is for ${reply.by} ${word}`)
  return found
}
