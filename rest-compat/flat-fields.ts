import type { JsonSchema } from './json-schema.js'

/** One field of an input or an answer, for a table that people read. */
export interface FlatField {
  /** `split_payment_config[].receiver_wallet` */
  path: string
  type: string
  required: boolean
  description: string
}

/** Deeper than any document here: an input that holds itself is cut off. */
const DEPTH_MAX = 6

/**
 * The fields of an object schema with those of the objects in it, each after the one that holds it. Where several
 * shapes are possible, the fields of all of them.
 * @param schemas what `$ref`s refer to
 */
export function flatFields(
  schema: JsonSchema,
  schemas: Readonly<Record<string, JsonSchema>>,
  prefix = '',
  depth = 0,
): FlatField[] {
  const rows: FlatField[] = []
  for (const shape of shapesOf(schema, schemas)) {
    for (const [name, property] of Object.entries(shape.properties ?? {})) {
      const path = `${prefix}${name}`
      const required = shape.required?.includes(name) === true
      rows.push({ path, type: typeOf(property, schemas), required, description: property.description ?? '' })
      const { inner, suffix } = innerOf(property, schemas)
      if (depth < DEPTH_MAX) rows.push(...flatFields(inner, schemas, `${path}${suffix}.`, depth + 1))
    }
  }
  return [...new Map(rows.toReversed().map((row) => [row.path, row])).values()].toReversed()
}

/** What a value may be, in a word or two: `string (date-time)`, `one of direct, subs`, `array of objects`. */
export function typeOf(schema: JsonSchema, schemas: Readonly<Record<string, JsonSchema>>): string {
  const types = shapesOf(schema, schemas).map((shape) => wordFor(shape, schemas))
  // What may be null says so once, and last.
  const words = [...new Set(types.map((type) => type.replace(/ or null$/, '')))].filter((word) => word !== 'null')
  return [...words, ...(types.some((type) => /(^| or )null$/.test(type)) ? ['null'] : [])].join(' or ')
}

function wordFor(
  { type, const: fixed, format, enum: values, items }: JsonSchema,
  schemas: Readonly<Record<string, JsonSchema>>,
) {
  const words = [type ?? 'any JSON'].flat().filter((word) => word !== 'null')
  const orNull = Array.isArray(type) && type.includes('null') ? ' or null' : ''
  if (fixed !== undefined) return `always ${JSON.stringify(fixed)}`
  if (values) return `one of ${values.filter((value) => value !== null).join(', ')}${orNull}`
  if (type === 'null') return 'null'
  if (items) return `array of ${typeOf(items, schemas)}${orNull}`
  return `${words.join(' or ')}${format === undefined ? '' : ` (${format})`}${orNull}`
}

/** What has fields inside a value: the value, or the items of a list. */
function innerOf(schema: JsonSchema, schemas: Readonly<Record<string, JsonSchema>>) {
  const list = shapesOf(schema, schemas).find(({ items }) => items)
  return list?.items ? { inner: list.items, suffix: '[]' } : { inner: schema, suffix: '' }
}

function shapesOf(schema: JsonSchema, schemas: Readonly<Record<string, JsonSchema>>): JsonSchema[] {
  if (schema.$ref !== undefined) return shapesOf(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, schemas)
  return schema.anyOf ? schema.anyOf.flatMap((shape) => shapesOf(shape, schemas)) : [schema]
}
