import { pick } from '../chaos/random.js'
import { EXAMPLE, EXAMPLES } from '../rest-compat/examples.js'
import { openApiPath, operationIdOf, type OpenApiDocument } from '../rest-compat/openapi.js'
import { ROUTES } from '../rest-compat/routes.js'
import { BAD_BODIES, BAD_VALUES, RAW_NUMBERS } from './bad-values.js'

export type Random = () => number

/** A request, good or bad, and the operation that it is for. */
export interface FuzzRequest {
  operationId: string
  method: string
  /** As the document has it. */
  pattern: string
  path: string
  headers: Record<string, string>
  body: string | undefined
}

/** What is there already, by the name that examples have for it; the newest last. */
export type Known = Map<string, string[]>

type Fields = Record<string, unknown>

/**
 * Makes a request: an example with what is there already in it, mostly with something wrong.
 * @param key of the tenant
 */
export function generate(random: Random, document: OpenApiDocument, key: string, known: Known): FuzzRequest {
  const route = pick(random, ROUTES)
  const operationId = operationIdOf(route)
  const pattern = openApiPath(route.path)
  const { params = {}, body } = EXAMPLES[operationId] ?? {}
  const example = (given: unknown) => structuredClone(filled(random, given, known)) as Fields
  const sent: { params: Fields; body: Fields | undefined } = { params: example(params), body: body && example(body) }
  const badness = random()
  if (badness > 0.25) breakSomewhere(random, sent, parametersOf(document, pattern, route.method))
  const hasBody = route.method !== 'GET' && (sent.body !== undefined || random() < 0.2)
  return {
    operationId,
    method: route.method,
    pattern,
    path: pathOf(pattern, sent.params),
    headers: headersOf(random, key, hasBody),
    body: hasBody ? bodyText(random, sent.body) : undefined,
  }
}

/** Names of things that are there, in the places where examples have theirs. */
function filled(random: Random, value: unknown, known: Known): unknown {
  if (Array.isArray(value)) return value.map((item) => filled(random, item, known))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, filled(random, inner, known)]))
  const there = typeof value === 'string' ? known.get(value) : undefined
  return there && there.length > 0 ? pick(random, there) : value
}

function parametersOf(document: OpenApiDocument, pattern: string, method: string): string[] {
  const { parameters = [] } = document.paths[pattern]?.[method.toLowerCase()] ?? {}
  return parameters.filter((parameter) => parameter.in !== 'header').map(({ name }) => name)
}

/** Breaks a request in one to three places. */
function breakSomewhere(
  random: Random,
  sent: { params: Fields; body: Fields | undefined },
  names: readonly string[],
): void {
  const times = 1 + Math.floor(random() * 3)
  for (let time = 0; time < times; time += 1) {
    const isParameter = names.length > 0 && (sent.body === undefined || random() < 0.2)
    if (isParameter) sent.params[pick(random, names)] = badValue(random)
    else if (sent.body) breakField(random, sent.body)
  }
}

/** A copy: what is broken once must not be in every later request. */
function badValue(random: Random): unknown {
  return structuredClone(pick(random, BAD_VALUES))
}

/** Changes, drops or adds a field, at any depth. */
function breakField(random: Random, fields: Fields): void {
  const names = Object.keys(fields)
  if (names.length === 0) return
  const name = pick(random, names)
  const inner = fields[name]
  const item: unknown = Array.isArray(inner) && inner.length > 0 ? pick(random, inner as unknown[]) : inner
  if (typeof item === 'object' && item !== null && random() < 0.7) {
    breakField(random, item as Fields)
    return
  }
  const way = random()
  if (way < 0.15) delete fields[name]
  else if (way < 0.25)
    fields[pick(random, ['unknown', 'id', 'tenant_id', 'status', '__typename', 'order_code', 'metadata'])] = pick(
      random,
      BAD_VALUES,
    )
  else fields[name] = badValue(random)
}

/** Nothing at all as a part of the path makes another path of it, which is unknown: `request-form.test.ts` has that. */
function pathOf(pattern: string, params: Fields): string {
  const path = pattern.replace(/\{(\w+)\}/g, (_part, name: string) => encoded(params[name]) || '%20')
  const query = Object.entries(params).filter(([name]) => !pattern.includes(`{${name}}`))
  return query.length === 0 ? path : `${path}?${query.map(([name, value]) => `${name}=${encoded(value)}`).join('&')}`
}

/** A value of the path or the query; long ones are cut, as a server cuts whole requests off. */
function encoded(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? '')
  // A dot segment would make another path of it before it is sent.
  return encodeURIComponent(text.toWellFormed().slice(0, 500)).replace(/^\.{1,2}$/, '%20')
}

function headersOf(random: Random, key: string, hasBody: boolean): Record<string, string> {
  const headers: Record<string, string> = {}
  const way = random()
  if (way > 0.02) headers['x-api-key'] = way > 0.04 ? key : pick(random, ['', 'sk_test_unknown', 'x'.repeat(500)])
  if (hasBody)
    headers['content-type'] =
      random() < 0.03 ? pick(random, ['text/plain', 'application/xml', 'json']) : 'application/json'
  if (random() < 0.1)
    headers['idempotency-key'] = pick(random, ['', 'a', 'b', 'x'.repeat(255), 'x'.repeat(256), ' ', '\u00e9'])
  return headers
}

function bodyText(random: Random, body: Fields | undefined): string {
  if (body === undefined || random() < 0.05) return pick(random, BAD_BODIES)
  return RAW_NUMBERS.reduce((text, number) => text.replaceAll(`"<${number}>"`, number), JSON.stringify(body))
}

/** Where answers have the names of things that examples name. */
const NAMES: Readonly<Record<string, string>> = {
  payment_id: EXAMPLE.paymentId,
  order_id: EXAMPLE.orderId,
}

/** How many of a kind are remembered: old things are in states in which little is possible. */
const KNOWN_MAX = 30

/** Remembers what an answer has made. */
export function remember(known: Known, data: unknown): void {
  if (typeof data !== 'object' || data === null) return
  for (const [field, name] of Object.entries(NAMES)) {
    const id = (data as Fields)[field]
    const there = known.get(name) ?? []
    if (typeof id === 'string' && !there.includes(id)) known.set(name, [...there, id].slice(-KNOWN_MAX))
  }
}
