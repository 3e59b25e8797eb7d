import type { GraphQLSchema } from 'graphql'
import { ERRORS, type ErrorCode } from '../kernel/errors.js'
import { answerSchema } from './answer-schema.js'
import { EXAMPLES } from './examples.js'
import type { DefineSchema, JsonSchema } from './json-schema.js'
import { operationNamed, type RestOperation } from './operation.js'
import { requestOf, type OpenApiParameter, type OpenApiRequest } from './openapi-request.js'
import { webhooksOf, type OpenApiWebhook } from './openapi-webhooks.js'
import { errorsOf, operationNames, type CodedRoute, type Reply, type Route } from './route.js'
import { ROUTES } from './routes.js'

/** One answer of an operation. */
export interface OpenApiResponse {
  description: string
  headers?: Readonly<Record<string, { $ref: string }>>
  content: { 'application/json': { schema: JsonSchema } }
}

/** One route of the document. */
export interface OpenApiOperation {
  operationId: string
  tags: readonly string[]
  summary: string
  parameters: readonly OpenApiParameter[]
  requestBody?: OpenApiRequest['requestBody']
  responses: Readonly<Record<string, OpenApiResponse>>
}

/** The document that `GET /openapi.json` answers: OpenAPI 3.1, as far as it is used here. */
export interface OpenApiDocument {
  openapi: '3.1.1'
  info: { title: string; version: string; description: string; license: { name: string; url: string } }
  servers: readonly { url: string }[]
  security: readonly Readonly<Record<string, readonly string[]>>[]
  tags: readonly { name: string; description: string }[]
  webhooks: Readonly<Record<string, OpenApiWebhook>>
  paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>
  components: {
    securitySchemes: Readonly<Record<string, { type: string; in: string; name: string; description: string }>>
    headers: Readonly<Record<string, { description: string; schema: JsonSchema }>>
    schemas: Readonly<Record<string, JsonSchema>>
  }
}

const DESCRIPTION = [
  'Every answer is an envelope: `statusCode`, `success`, `status`, `message`, and `data` on success.',
  'Two are not, because they come before any path is looked at: 403 for a key in the wrong header and 429 over the rate limit, both `{code, message, docs}`; 403 has a `hint` besides.',
  'An unknown path answers 404 `not_found` (below `/kyc/create/` 404 `method_not_found`), a known one with another method 405 `method_not_allowed`.',
  'Fields that an operation does not know are ignored. Amounts are decimal strings, times ISO 8601 in UTC.',
].join(' ')

/** The document of the REST layer but for its stream (`openapi-events.ts`), from the table of routes, their documents and the API schema. */
export function openApiDocument(options: {
  schema: GraphQLSchema
  operations: ReadonlyMap<string, RestOperation>
  publicUrl: string
  version: string
}): OpenApiDocument {
  const { schema, operations, publicUrl, version } = options
  const schemas: Record<string, JsonSchema> = { GatewayRefusal: GATEWAY_REFUSAL, FieldFailure: FIELD_FAILURE }
  const define: DefineSchema = (name, made) => {
    // Reserved first: an input may hold itself.
    if (!(name in schemas)) {
      schemas[name] = {}
      schemas[name] = made()
    }
    return { $ref: `#/components/schemas/${name}` }
  }
  const paths: Record<string, Record<string, OpenApiOperation>> = {}
  for (const route of ROUTES) {
    const path = openApiPath(route.path)
    const documents = operationNames(route).map((name) => operationNamed(operations, name))
    const operation: OpenApiOperation = {
      operationId: operationIdOf(route),
      tags: [route.subgraph],
      summary: route.summary,
      ...requestOf(route, documents, schema, define, EXAMPLES[operationIdOf(route)] ?? {}),
      responses: { ...successes(route, documents, schema, define), ...failures(route) },
    }
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation }
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Payments API',
      version,
      description: DESCRIPTION,
      license: { name: 'Proprietary', url: publicUrl },
    },
    servers: [{ url: serverOf(publicUrl) }],
    security: [{ apiKey: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: webhooksOf(operations, schema, define),
    components: { securitySchemes: SECURITY_SCHEMES, headers: HEADERS, schemas },
  }
}

/** An address that leads nowhere from another machine is left out: the service is where the document was read. */
function serverOf(publicUrl: string): string {
  return /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(new URL(publicUrl).hostname) ? '/' : publicUrl
}

/** What each tag is about: a route's is its subgraph. */
const TAGS: Readonly<Record<string, string>> = {
  payments: 'Payments, their transactions, charges, refunds and prices.',
  accounts: 'The products of a key, and the log of webhook deliveries.',
  orders: 'Reusable orders, from which payments are registered.',
  kyc: 'Verification of the identity of payers.',
  yield: 'Lending strategies, and the transactions that move money between them.',
  webhooks: 'What tenants are told. Signed as Standard Webhooks says.',
}

/** `/order/:order_id` → `/order/{order_id}`. */
export function openApiPath(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}')
}

/** The name of a route for programs: its own, or the first operation's in camel case. No two routes have the same. */
export function operationIdOf(route: Route): string {
  const [name = ''] = operationNames(route)
  return route.operationId ?? name.replace(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase())
}

function successes(
  route: Route,
  documents: readonly RestOperation[],
  schema: GraphQLSchema,
  define: DefineSchema,
): Record<string, OpenApiResponse> {
  const answers = documents.map((document) => answerSchema(schema, document, route, define))
  // Several documents of a route answer the same: a client must not have to know which one ran.
  const [answer = {}, ...others] = answers
  if (others.some((other) => JSON.stringify(other) !== JSON.stringify(answer)))
    throw new Error(`${route.path} answers in more than one shape`)
  const data = define(`${documents[0]?.operationName ?? ''}Data`, () => answer)
  const headers = route.method === 'GET' ? COMMON_HEADERS : [...COMMON_HEADERS, 'idempotent-replayed']
  const responses: Record<string, OpenApiResponse> = {}
  for (const [http, replies] of byStatus(repliesOf(route))) {
    responses[http] = {
      description: replies.map(({ status, message }) => `\`${status}\`: ${message}`).join('\n\n'),
      headers: headerRefs(headers),
      content: {
        'application/json': { schema: successSchema(Number(http), replies, data, route.bare ? answer.properties : {}) },
      },
    }
  }
  return responses
}

/** The envelopes of an operation's successes. */
export function successSchemas({ responses }: Pick<OpenApiOperation, 'responses'>): JsonSchema[] {
  return Object.entries(responses).flatMap(([http, { content }]) =>
    http.startsWith('2') ? [content['application/json'].schema] : [],
  )
}

/** Every reply of a route, whichever its answer leads to. */
export function repliesOf({ reply }: Route): readonly Reply[] {
  return 'http' in reply ? [reply] : Object.values(reply.replies)
}

/** @param beside the fields of `data` that stand beside it too */
function successSchema(
  http: number,
  replies: readonly Reply[],
  data: JsonSchema,
  beside: JsonSchema['properties'] = {},
): JsonSchema {
  return {
    type: 'object',
    properties: {
      ...beside,
      statusCode: { const: http },
      success: { const: true },
      status: { enum: [...new Set(replies.map(({ status }) => status))] },
      message: { type: 'string' },
      data,
    },
    required: ['statusCode', 'success', 'status', 'message', 'data', ...Object.keys(beside)],
  }
}

/** The answers of the gateway, which come before any path is looked at: their HTTP statuses. */
const GATEWAY_STATUSES = ['403', '429']

/** The answers of a route that did not succeed, by their HTTP statuses. */
export function failures(route: CodedRoute): Record<string, OpenApiResponse> {
  // Another method of the path answers it, so no operation does.
  const codes = errorsOf(route).filter((code) => code !== 'method_not_allowed')
  const rows = byStatus(codes.map((code) => ({ code, http: ERRORS[code].http })))
  const responses: Record<string, OpenApiResponse> = {}
  for (const http of [...new Set([...rows.keys(), ...GATEWAY_STATUSES])].sort()) {
    const known = rows.get(http)?.map(({ code }) => code) ?? []
    const lines = known.map((code) => `\`${code}\`: ${ERRORS[code].message}`)
    const refusal = GATEWAY_STATUSES.includes(http) ? [{ $ref: '#/components/schemas/GatewayRefusal' }] : []
    const schemas = [...(known.length > 0 ? [failureSchema(Number(http), known)] : []), ...refusal]
    responses[http] = {
      description: [...lines, ...(refusal.length > 0 ? [GATEWAY_LINES[http] ?? ''] : [])].join('\n\n'),
      headers: headerRefs(http === '429' ? [...COMMON_HEADERS, 'retry-after'] : COMMON_HEADERS),
      content: { 'application/json': { schema: schemas.length === 1 ? (schemas[0] ?? {}) : { anyOf: schemas } } },
    }
  }
  return responses
}

const GATEWAY_LINES: Readonly<Record<string, string>> = {
  '403': 'From the gateway: no header is named exactly `x-api-key`, but another one carries a key.',
  '429': 'From the gateway: the rate limit of the key is exceeded.',
}

function failureSchema(http: number, codes: readonly ErrorCode[]): JsonSchema {
  return {
    type: 'object',
    properties: {
      statusCode: { const: http },
      success: { const: false },
      status: { enum: codes },
      message: { type: 'string' },
      ...(codes.includes('validation_error') && {
        errors: {
          type: 'array',
          description: 'With `validation_error`: every field that is wrong.',
          items: { $ref: '#/components/schemas/FieldFailure' },
        },
      }),
      details: { type: 'string', description: 'More, where the system behind told it.' },
    },
    required: ['statusCode', 'success', 'status', 'message'],
  }
}

function byStatus<Row extends { http: number }>(rows: readonly Row[]): Map<string, Row[]> {
  const grouped = new Map<string, Row[]>()
  for (const row of rows) grouped.set(String(row.http), [...(grouped.get(String(row.http)) ?? []), row])
  return grouped
}

const GATEWAY_REFUSAL: JsonSchema = {
  type: 'object',
  description: 'An answer of the gateway; it is no envelope.',
  properties: {
    code: { enum: [403, 429] },
    message: { type: 'string' },
    docs: { type: 'string', format: 'uri', description: 'Where these answers are explained.' },
    hint: { type: 'string', description: 'With 403: which header was found instead, and what is needed.' },
  },
  required: ['code', 'message', 'docs'],
}

const FIELD_FAILURE: JsonSchema = {
  type: 'object',
  properties: {
    field: { type: 'string', description: 'The dotted path, or `body` where the body as a whole is bad.' },
    message: { type: 'string', description: 'What is wrong with it.' },
  },
  required: ['field', 'message'],
}

const SECURITY_SCHEMES = {
  apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'The key of a tenant; lower case.' },
}

/** The headers of every answer. */
export const COMMON_HEADERS = ['x-request-id', 'ratelimit', 'ratelimit-policy']

const HEADERS = {
  'x-request-id': { description: 'The id of the request: what support asks for.', schema: { type: 'string' } },
  ratelimit: { description: 'What remains of the rate limit.', schema: { type: 'string' } },
  'ratelimit-policy': { description: 'The rate limit.', schema: { type: 'string' } },
  'retry-after': { description: 'Seconds until the next request is let in.', schema: { type: 'string' } },
  'idempotent-replayed': {
    description: '`true` where the first answer of an `Idempotency-Key` is given again.',
    schema: { const: 'true' },
  },
}

/** Headers of an answer, by references to the document's. */
export function headerRefs(names: readonly string[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
