import { isNullableType, type GraphQLError } from 'graphql'
import type { Admission } from '../gateway/admission.js'
import { payloadFailure, type PayloadError } from '../gateway/payload-failure.js'
import { requestContext, type RequestOutcome } from '../gateway/request.js'
import type { SupergraphExecutor } from '../gateway/supergraph.js'
import { AppError, ERRORS, isErrorCode, validationError, type FieldFailure } from '../kernel/errors.js'
import { invalidTextProblem } from '../kernel/invalid-text.js'
import { isObject } from '../kernel/json.js'
import { recovering, whenThere, type PromiseOrValue } from '../kernel/promise-or-value.js'
import type { RequestContext, SubgraphExecutor, SubgraphResult } from '../kernel/subgraph.js'
import type { Caller } from '../kernel/tenant.js'
import { contradictions, failuresInSentNames, inSentNames, renamed, sentNames, type SentNames } from './aliases.js'
import { successEnvelope, type Envelope, type Failure } from './envelope.js'
import { operationNamed, type RestOperation } from './operation.js'
import { changeValues } from './other-values.js'
import { readValue } from './read-input.js'
import { keptOrMade } from './keep-envelopes.js'
import { operationFor, replyFor, type Reply, type Route } from './route.js'
import { showRecord } from './routes.js'
import { withWidened } from './widened.js'
import { toldOfNumbers, withRuleFailures, type ReadVariables } from './rule-failures.js'

/** What the REST layer runs on. */
export interface RestDeps {
  supergraph: SupergraphExecutor
  operations: ReadonlyMap<string, RestOperation>
  admission: Pick<Admission, 'run'>
  /** Of the fingerprints of requests with an idempotency key; 32 bytes. */
  fingerprintKey: Buffer
  /** The subgraphs themselves, for the rules of a body whose form is bad. */
  subgraphs: Readonly<Record<string, SubgraphExecutor>>
}

/** A request as a route sees it: the key is known to be good, the body is parsed. */
export interface RestRequest {
  caller: Caller
  requestId: string
  /** All that were sent. */
  idempotencyKeys: readonly string[]
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, unknown>>
  body: unknown
}

/** A failure that came back from the graph. */
export class GraphFailure extends Error {
  override readonly name = 'GraphFailure'
  /** @param isReplayed whether it is the first answer to an idempotency key again */
  constructor(
    readonly failure: Failure,
    readonly isReplayed = false,
  ) {
    super(failure.message)
  }
}

/** A success. */
export interface Answered {
  envelope: Envelope
  /** The envelope's JSON where it is known already. */
  text?: string
  replayed: boolean
}

/**
 * Answers one request of one route: input by the operation's own types, the operation over the supergraph, its data as it
 * comes.
 * @throws AppError or GraphFailure
 */
export function handleRoute(deps: RestDeps, route: Route, request: RestRequest): PromiseOrValue<Answered> {
  const isUnread = route.method === 'GET' || takesNoBody(deps, route)
  const given = isUnread ? {} : bodyOf(request.body, mayLackBody(deps, route))
  const body = renamed(given, route.aliases)
  const names = sentNames(given, route.aliases)
  const operation = operationNamed(deps.operations, operationFor(route, body))
  const read = readVariables(operation, route, request, body)
  const { variables } = read
  read.failures.push(...contradictions(given, route, operation))
  if (read.failures.length > 0) return refuseInput(deps, route, request, operation, { read, names })
  const { context, outcome } = requestContext(
    request,
    {
      writes: operation.kind === 'mutation',
      text: () => `${operation.name} ${JSON.stringify(variables)}`,
    },
    deps.fingerprintKey,
  )
  // Only now: the fingerprint of a key is of what was sent, whatever the graph makes of it.
  changeValues(variables, operation.otherInputs)
  const data = recovering(
    () => run(deps, route, operation, variables, { context, outcome }),
    (error) => {
      throw error instanceof GraphFailure ? inRestWords(error, read, names) : error
    },
  )
  const answerTo = (own: Record<string, unknown>): Envelope =>
    successEnvelope(toldBy(route, own), present(route, operation, body, own), route.bare)
  return whenThere(data, (there) => ({ ...keptOrMade(route, there, answerTo), replayed: outcome.replayed }))
}

/** @throws validation_error with what is wrong with the form of an input, and what else its rules say of it */
async function refuseInput(
  deps: RestDeps,
  route: Route,
  { caller, requestId }: RestRequest,
  operation: RestOperation,
  { read, names }: { read: ReadVariables; names: SentNames },
): Promise<never> {
  const failures = await withRuleFailures(deps.subgraphs, route, { caller, requestId }, operation, read)
  throw validationError(failuresInSentNames(failures, names))
}

/** The reply to an answer, with the answer's own word where it is a refusal. */
function toldBy(route: Route, data: Record<string, unknown>): Reply {
  const reply = replyFor(route, data)
  const refusal = route.refusal === undefined ? undefined : data[route.refusal]
  return isObject(refusal) ? { ...reply, message: String(refusal['message']) } : reply
}

/** Runs an operation and gives what its `data:` field answered, which is within the `payload:` of a mutation. */
function run(
  deps: RestDeps,
  route: Route,
  operation: RestOperation,
  variables: Record<string, unknown>,
  { context, outcome }: { context: RequestContext; outcome: RequestOutcome },
): PromiseOrValue<Record<string, unknown>> {
  const weighed = { kind: operation.kind, weight: 1, lane: () => route.subgraph, isPlanned: () => true }
  const result = deps.admission.run(weighed, context, (admitted) =>
    deps.supergraph.execute(operation, variables, admitted),
  )
  return whenThere(result, (there) => answerIn(there, operation, outcome))
}

/** What an operation's `data:` field answered. @throws GraphFailure of one that failed or was refused */
function answerIn(
  { data, errors }: SubgraphResult,
  operation: RestOperation,
  outcome: RequestOutcome,
): Record<string, unknown> {
  const [error] = errors ?? []
  if (error) throw new GraphFailure(failureIn(error))
  const holder = operation.kind === 'mutation' ? doneIn(data?.['payload'], outcome) : data
  const answer = holder?.['data']
  if (!isObject(answer)) throw new Error(`${operation.name} answered nothing`)
  return answer
}

/** The payload of a mutation that was done. @throws GraphFailure of one that was refused */
function doneIn(payload: unknown, { replayed }: RequestOutcome): Record<string, unknown> | undefined {
  if (!isObject(payload)) return undefined
  const failure = payloadFailure(payload['errors'] as readonly PayloadError[])
  if (failure) throw new GraphFailure(failure, replayed && isKept(failure))
  return payload
}

/**
 * Whether a refusal is one that an idempotency key keeps: a verdict on what was asked. What a kept answer is shown with is read
 * anew, and where that fails, by our fault or of a system behind ours, nothing was answered so before.
 */
function isKept({ code }: Failure): boolean {
  const known = code?.toLowerCase()
  return isErrorCode(known) && ERRORS[known].http < 500
}

/**
 * A failure as REST tells it: of a number for which the graph has no text, it was told what is wrong with another; and a field has the name
 * by which it was sent.
 */
function inRestWords(
  { failure, isReplayed }: GraphFailure,
  { outOfRange }: ReadVariables,
  names: SentNames,
): GraphFailure {
  const errors = failure.errors && toldOfNumbers(failure.errors, outOfRange)
  return new GraphFailure(inSentNames({ ...failure, errors }, names), isReplayed)
}

function failureIn({ message, extensions }: GraphQLError): Failure {
  const { code, errors, details } = extensions as { code?: string; errors?: FieldFailure[]; details?: string }
  return { code, message, errors, details }
}

/** Whether nothing of the body would be read: an empty one is then as good as any. */
function takesNoBody({ operations }: RestDeps, { operation }: Route): boolean {
  return typeof operation === 'string' && !operations.get(operation)?.variables.some(({ name }) => name === 'input')
}

/** Whether nothing of the body is needed. */
function mayLackBody({ operations }: RestDeps, { operation }: Route): boolean {
  const input =
    typeof operation === 'string' && operations.get(operation)?.variables.find(({ name }) => name === 'input')
  return input !== false && input !== undefined && isNullableType(input.type)
}

function bodyOf(body: unknown, mayLack: boolean): Record<string, unknown> {
  // A `null` that was sent is not nothing: it may stand for a value that its sender has lost.
  if (body === undefined && mayLack) return {}
  if (!isObject(body)) throw validationError([{ field: 'body', message: 'must be a JSON object' }])
  return body
}

function readVariables(
  operation: RestOperation,
  route: Route,
  request: RestRequest,
  body: Record<string, unknown>,
): ReadVariables {
  const failures: FieldFailure[] = []
  const outOfRange: FieldFailure[] = []
  const variables: Record<string, unknown> = {}
  const inQuery = route.method === 'GET'
  // Where absent fields have an error of their own, an empty text says as little as none.
  const given = route.ignoresQuery ? {} : withWidened(request.query, route.widened)
  const query = route.absentInput ? withoutEmpty(given) : given
  const sent = route.absentInput ? withoutEmpty(body) : body
  const input = withLists(inQuery ? { ...query } : { ...sent }, route.lists)
  for (const { name, restName, type } of operation.variables) {
    const value =
      name === 'input'
        ? readValue(type, input, '', {
            form: inQuery ? 'text' : 'json',
            keepNulls: route.nullClears === true,
            ...{ failures, outOfRange },
          })
        : readValue(type, pathPart(request, restName) ?? query[restName], restName, {
            form: 'text',
            failures,
          })
    if (value !== undefined) variables[name] = value
  }
  return { variables, failures, outOfRange }
}

/** What the path carries; a text that no database keeps names nothing, like any other that is not known. */
function pathPart({ params }: RestRequest, name: string): string | undefined {
  const part = params[name]
  return part !== undefined && invalidTextProblem(part) !== undefined ? '' : part
}

function withoutEmpty(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => typeof value !== 'string' || value.trim() !== ''),
  )
}

/** One value stands for a list of one where the route says so. */
function withLists(given: Record<string, unknown>, lists: Route['lists']): Record<string, unknown> {
  for (const name of lists ?? []) {
    const value = given[name]
    if (value !== undefined && value !== null && !Array.isArray(value)) given[name] = [value]
  }
  return given
}

/** The operation's data as REST shows it: enums in lower case, numbers as such, and what the route's row changes. */
function present(
  route: Route,
  operation: RestOperation,
  body: Record<string, unknown>,
  data: Record<string, unknown>,
): unknown {
  changeValues({ data }, operation.otherAnswers)
  showRecord(data, route)
  for (const [list, row] of Object.entries(route.items ?? {})) {
    for (const item of listOf([data[list]].flat())) showRecord(item, row)
  }
  for (const [field, key] of Object.entries(route.keyed ?? {})) data[field] = keyedBy(data[field], key)
  for (const field of route.hidden ?? []) delete data[field]
  for (const field of route.absent ?? []) if (data[field] === null) delete data[field]
  for (const [field, line] of Object.entries(route.insteadOf ?? {})) data[field] ??= line(body)
  return data
}

/** The code that tells a caller what is wrong with an error of any kind. */
export function failureFrom(error: unknown): Failure {
  if (error instanceof GraphFailure) return error.failure
  if (error instanceof AppError)
    return { code: error.code, message: error.message, errors: error.errors, details: error.details }
  return { code: undefined, message: '' }
}

/** A list of objects as one object: each item under the value of its field `key`, without that field. */
function keyedBy(list: unknown, key: string): Record<string, unknown> {
  return Object.fromEntries(listOf(list).map(({ [key]: name, ...item }) => [String(name), item]))
}

function listOf(value: unknown): Record<string, unknown>[] {
  return (Array.isArray(value) ? value : []).filter(isObject)
}
