import type { GraphQLSchema } from 'graphql'
import { answerSchema } from './answer-schema.js'
import type { DefineSchema, JsonSchema } from './json-schema.js'
import { operationNamed, type RestOperation } from './operation.js'
import { rowOf } from './routes.js'
import { WEBHOOK_EVENTS } from './webhook-events.js'

/** What the receiver of a webhook is sent. */
export interface OpenApiWebhook {
  post: {
    operationId: string
    tags: readonly string[]
    summary: string
    security: readonly []
    parameters: readonly { name: string; in: 'header'; required: true; description: string; schema: JsonSchema }[]
    requestBody: { required: true; content: { 'application/json': { schema: JsonSchema } } }
    responses: Readonly<Record<string, { description: string }>>
  }
}

/** Every event by its type: the resource as the REST layer showed it right after the event. */
export function webhooksOf(
  operations: ReadonlyMap<string, RestOperation>,
  schema: GraphQLSchema,
  define: DefineSchema,
): Record<string, OpenApiWebhook> {
  return Object.fromEntries(
    WEBHOOK_EVENTS.map(({ type, summary, operation }) => {
      const document = operationNamed(operations, operation)
      const data = define(`${document.operationName ?? ''}Data`, () =>
        answerSchema(schema, document, rowOf(operation), define),
      )
      const event = define(`${pascalCase(type)}Event`, () => eventSchema(type, data))
      return [type, { post: webhook(type, summary, event) }]
    }),
  )
}

/** `payment.success` → `PaymentSuccess`. */
function pascalCase(type: string): string {
  return type.replace(/(?:^|[._])([a-z])/g, (_match, letter: string) => letter.toUpperCase())
}

function eventSchema(type: string, data: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: {
      type: { const: type },
      timestamp: { type: 'string', format: 'date-time', description: 'When it happened.' },
      sequence: { type: 'integer', description: 'Grows with each event of the same resource.' },
      data,
    },
    required: ['type', 'timestamp', 'sequence', 'data'],
  }
}

function webhook(type: string, summary: string, schema: JsonSchema): OpenApiWebhook['post'] {
  return {
    operationId: `on${pascalCase(type)}`,
    tags: ['webhooks'],
    summary,
    security: [],
    parameters: HEADERS,
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      '2XX': { description: 'Received. Anything else, or no answer within 15 seconds, is tried again for three days.' },
      '4XX': { description: 'Not taken: the signature or the timestamp is not good.' },
    },
  }
}

const HEADERS: OpenApiWebhook['post']['parameters'] = Object.entries({
  'webhook-id': 'The id of the delivery: the same when it is tried again or replayed.',
  'webhook-timestamp': 'When it was signed, in seconds since 1970.',
  'webhook-signature': '`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`; several while a secret is rotated.',
}).map(([name, description]) => ({ name, in: 'header', required: true, description, schema: { type: 'string' } }))
