import type { JsonSchema } from '../../rest-compat/json-schema.js'
import { parameterProperties } from '../../rest-compat/openapi-request.js'
import type { OpenApiDocument } from '../../rest-compat/openapi.js'
import { operationsOf, type NamedOperation } from './named-operations.js'
import { docLines, objectText, typeText } from './type-text.js'

/** What only failures refer to; the errors of the client say it. */
const OF_FAILURES = ['GatewayRefusal', 'FieldFailure']

/** The types of all inputs, answers and webhooks. */
export function typesSource(document: OpenApiDocument): string {
  const schemas = Object.entries(document.components.schemas).filter(([name]) => !OF_FAILURES.includes(name))
  return [
    ...schemas.flatMap(([name, schema]) => declaration(name, schema)),
    ...operationsOf(document).flatMap((operation) => parametersOf(operation)),
    ...webhookTypes(document),
  ].join('\n')
}

function declaration(name: string, schema: JsonSchema): string[] {
  const isObject = schema.properties !== undefined && schema.type === 'object'
  const body = isObject ? `export interface ${name} ${objectText(schema)}` : `export type ${name} = ${typeText(schema)}`
  return [...docLines(schema.description), body, '']
}

/** What a method of the client takes: the parts of the path, of the query and of the body in one object. */
function parametersOf({ typeName, operation }: NamedOperation): string[] {
  const own = parameterProperties(operation.parameters)
  const body = operation.requestBody?.content['application/json'].schema
  const hasOwn = Object.keys(own.properties).length > 0
  const parts = [...(hasOwn ? [objectText(own)] : []), ...(body ? [`(${typeText(body)})`] : [])]
  return [
    `/** What \`${operation.operationId}\` takes. */`,
    `export type ${typeName}Params = ${parts.join(' & ') || 'Readonly<Record<string, never>>'}`,
    '',
  ]
}

/** Every event of the webhooks, told apart by its type. */
function webhookTypes({ webhooks = {} }: OpenApiDocument): string[] {
  const shapes = Object.values(webhooks).map(({ post }) =>
    typeText(post.requestBody.content['application/json'].schema),
  )
  return shapes.length === 0
    ? []
    : ['/** What a webhook tells. */', `export type WebhookEvent =\n  | ${shapes.join('\n  | ')}`, '']
}
