import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { JsonSchema } from '../../rest-compat/json-schema.js'
import type { OpenApiDocument } from '../../rest-compat/openapi.js'

/** Every object with `$ref`, `properties` and so on, wherever it is. */
export function* nodesOf(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield value as Record<string, unknown>
  for (const inner of Object.values(value)) yield* nodesOf(inner)
}

/** What compiles schemas of a document; `exact` refuses fields that it does not name. */
export function schemaCompiler({
  components,
}: OpenApiDocument): (schema: JsonSchema, exact: boolean) => ValidateFunction {
  return (schema, exact) => {
    const whole = structuredClone({ ...schema, $defs: components.schemas })
    for (const node of nodesOf(whole)) {
      if (typeof node['$ref'] === 'string') node['$ref'] = node['$ref'].replace('#/components/schemas/', '#/$defs/')
      // It only helps generators of clients.
      delete node['discriminator']
      if (exact && node['type'] === 'object' && node['properties'] && !node['allOf'])
        node['additionalProperties'] = false
    }
    const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true })
    addFormats.default(ajv)
    return ajv.compile(whole)
  }
}
