import { EVENTS_EXAMPLE, EXAMPLE } from './examples.js'
import type { JsonSchema } from './json-schema.js'
import {
  COMMON_HEADERS,
  failures,
  headerRefs,
  openApiPath,
  type OpenApiDocument,
  type OpenApiOperation,
  type OpenApiResponse,
} from './openapi.js'
import type { OpenApiParameter } from './openapi-request.js'
import { EVENTS_ROUTE } from './payment-events.js'

/** An operation whose answer is a stream; what it answers in its place is as everywhere. */
export interface OpenApiStream extends Omit<OpenApiOperation, 'responses'> {
  responses: Readonly<
    Record<string, OpenApiResponse | (Omit<OpenApiResponse, 'content'> & { content: { 'text/event-stream': Stream } })>
  >
}

interface Stream {
  schema: JsonSchema
  example: string
}

/** The document that `GET /openapi.json` answers: every operation, and the stream of a payment's events. */
export type PublishedDocument = Omit<OpenApiDocument, 'paths'> & {
  paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation | OpenApiStream>>>>
}

/**
 * Adds the stream of a payment's events to the document of the REST layer. Tools and clients that are made from the table of
 * routes do without it: a call gives one answer, and the client reads the stream by code of its own.
 */
export function withPaymentEvents(document: OpenApiDocument): PublishedDocument {
  const path = openApiPath(EVENTS_ROUTE.path)
  const stream: OpenApiStream = {
    operationId: 'paymentEvents',
    tags: ['payments'],
    summary: 'Follows a payment: as it is now, and again after each change.',
    parameters: PARAMETERS,
    responses: {
      '200': {
        description: DESCRIPTION,
        headers: headerRefs(COMMON_HEADERS),
        content: { 'text/event-stream': { schema: { type: 'string' }, example: STREAM } },
      },
      ...failures(EVENTS_ROUTE),
    },
  }
  return { ...document, paths: { ...document.paths, [path]: { [EVENTS_ROUTE.method.toLowerCase()]: stream } } }
}

const PARAMETERS: readonly OpenApiParameter[] = [
  {
    name: 'id',
    in: 'path',
    required: true,
    description: 'The id of the payment.',
    schema: { type: 'string' },
    example: EVENTS_EXAMPLE.params.id,
  },
  {
    name: 'Last-Event-ID',
    in: 'header',
    required: false,
    description:
      'The `sequence` of the last event that was read: the stream goes on behind it, and leaves nothing out.',
    schema: { type: 'string', pattern: '^[0-9]{1,9}$' },
  },
]

const DESCRIPTION = [
  'Server-sent events without a name. The `data` of each is the JSON that the webhook of the same change carries (its type is one of `payment.…`), and its id the `sequence`.',
  'A stream that ends is opened again with `Last-Event-ID`; browsers and the client do so by themselves.',
].join(' ')

const STREAM = [
  'retry: 2000',
  '',
  'id: 1',
  `data: ${JSON.stringify({ type: 'payment.registered', timestamp: '2026-01-31T12:00:00.000Z', sequence: 1, data: { id: EXAMPLE.paymentId, status: 'registered' } })}`,
  '',
  '',
].join('\n')
