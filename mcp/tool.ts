import { referredName, type JsonSchema } from '../rest-compat/json-schema.js'
import { parameterProperties } from '../rest-compat/openapi-request.js'
import {
  openApiPath,
  operationIdOf,
  successSchemas,
  type OpenApiDocument,
  type OpenApiOperation,
} from '../rest-compat/openapi.js'
import type { Route } from '../rest-compat/route.js'
import { ROUTES } from '../rest-compat/routes.js'
import { AMOUNTS } from './amount.js'

/** A tool as `tools/list` shows it, and the route that it calls. */
export interface Tool {
  route: Route
  isRead: boolean
  shown: {
    name: string
    title: string
    description: string
    inputSchema: JsonSchema
    outputSchema: JsonSchema
    annotations: {
      title: string
      readOnlyHint: boolean
      destructiveHint: boolean
      idempotentHint: boolean
      openWorldHint: boolean
    }
  }
}

/** Arguments that are the protocol's and not the route's. */
export const IDEMPOTENCY_KEY = 'idempotency_key'
export const CONFIRMATION_TOKEN = 'confirmation_token'

/** A tool for each operation of REST, with the schemas of its description. */
export function toolsOf(document: OpenApiDocument): ReadonlyMap<string, Tool> {
  return new Map(
    ROUTES.map((route) => {
      const operation = document.paths[openApiPath(route.path)]?.[route.method.toLowerCase()]
      if (!operation) throw new Error(`${route.path} is not documented`)
      return [operationIdOf(route), toolOf(route, operation, document.components.schemas)]
    }),
  )
}

function toolOf(route: Route, operation: OpenApiOperation, schemas: OpenApiDocument['components']['schemas']): Tool {
  const isRead = route.method === 'GET'
  const title = operation.summary.replace(/\.$/, '')
  return {
    route,
    isRead,
    shown: {
      name: operation.operationId,
      title,
      description: `${operation.summary} (${route.method} ${openApiPath(route.path)})`,
      inputSchema: whole(inputOf(route, operation, schemas), schemas),
      outputSchema: whole(outputOf(operation), schemas),
      annotations: {
        title,
        readOnlyHint: isRead,
        destructiveHint: route.method === 'DELETE' || operation.operationId in AMOUNTS,
        idempotentHint: isRead,
        openWorldHint: true,
      },
    },
  }
}

/** The parts of the path, the query and the body as one object; of several bodies what all of them need is required. */
function inputOf(
  route: Route,
  { operationId, parameters, requestBody }: OpenApiOperation,
  schemas: OpenApiDocument['components']['schemas'],
): JsonSchema {
  const { properties: own, required } = parameterProperties(parameters)
  const body = requestBody?.content['application/json'].schema
  const bodies = (body?.anyOf ?? (body ? [body] : [])).map((shape) => resolved(shape, schemas))
  const needed = bodies.map((shape) => shape.required ?? [])
  const inAll = (needed[0] ?? []).filter((name) => needed.every((names) => names.includes(name)))
  return {
    type: 'object',
    properties: {
      ...own,
      ...bodyProperties(route, bodies),
      ...(route.method !== 'GET' && {
        [IDEMPOTENCY_KEY]: {
          type: 'string',
          description: 'The same key again gives the first answer again, and does nothing twice.',
        },
      }),
      ...(operationId in AMOUNTS && {
        [CONFIRMATION_TOKEN]: {
          type: 'string',
          description: 'From the answer that asked for a confirmation, once a person has agreed.',
        },
      }),
    },
    required: [...required, ...inAll],
  }
}

/** The fields of a body; of the two of a route whose body decides, what a field is and whether it is needed in either. */
function bodyProperties({ operation }: Route, [body, then]: readonly JsonSchema[]): JsonSchema['properties'] {
  if (typeof operation === 'string' || !then) return body?.properties
  const { sent } = operation
  const names = Object.keys({ ...then.properties, ...body?.properties })
  const described = names.map((name): [string, JsonSchema] => {
    const [one, other] = [body?.properties?.[name], then.properties?.[name]]
    const says = [
      one?.description,
      body?.required?.includes(name) && !then.required?.includes(name) && `Needed without \`${sent}\`.`,
      one && other?.description !== undefined && other.description !== one.description
        ? `With \`${sent}\`: ${other.description}`
        : !one && other?.description,
    ].filter(Boolean)
    return [name, { ...one, ...other, ...(says.length > 0 && { description: says.join(' ') }) }]
  })
  return Object.fromEntries(described)
}

function outputOf(operation: OpenApiOperation): JsonSchema {
  const shapes = successSchemas(operation)
  return {
    type: 'object',
    properties: {
      status: { enum: [...new Set(shapes.flatMap(({ properties }) => properties?.['status']?.enum ?? []))] },
      message: { type: 'string' },
      data: shapes[0]?.properties?.['data'] ?? {},
    },
    required: ['status', 'message', 'data'],
  }
}

function resolved(schema: JsonSchema, schemas: OpenApiDocument['components']['schemas']): JsonSchema {
  return schema.$ref === undefined ? schema : (schemas[referredName(schema.$ref)] ?? {})
}

/** A schema that stands alone: what it refers to is in it. */
function whole(schema: JsonSchema, schemas: OpenApiDocument['components']['schemas']): JsonSchema {
  const found = new Set<string>()
  const local = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(local)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
        // It helps generators of clients only.
        if (name === 'discriminator') return []
        if (name !== '$ref' || typeof inner !== 'string') return [[name, local(inner)]]
        found.add(referredName(inner))
        return [[name, `#/$defs/${referredName(inner)}`]]
      }),
    )
  }
  const top = local(schema) as JsonSchema
  const definitions: Record<string, unknown> = {}
  // A set is walked over with what is added meanwhile.
  for (const name of found) definitions[name] = local(schemas[name])
  return found.size === 0 ? top : { ...top, $defs: definitions as Record<string, JsonSchema> }
}
