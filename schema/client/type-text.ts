import { referredName, type JsonSchema } from '../../rest-compat/json-schema.js'

/**
 * A JSON Schema as the text of a TypeScript type. References become the names of what they refer to.
 * @param indent what stands before each line but the first
 */
export function typeText(schema: JsonSchema, indent = ''): string {
  if (schema.$ref !== undefined) return referredName(schema.$ref)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)))
  if (schema.anyOf) return union(schema.anyOf.map((shape) => typeText(shape, indent)))
  if (schema.type === undefined) return 'unknown'
  return union([schema.type].flat().map((word) => wordText(word, schema, indent)))
}

function wordText(word: string, schema: JsonSchema, indent: string): string {
  if (word === 'integer') return 'number'
  if (word === 'array') return `readonly (${typeText(schema.items ?? {}, indent)})[]`
  if (word !== 'object') return word
  if (schema.additionalProperties) return `Readonly<Record<string, ${typeText(schema.additionalProperties, indent)}>>`
  return schema.properties ? objectText(schema, indent) : 'Readonly<Record<string, unknown>>'
}

/** The fields of an object with their descriptions, in braces. */
export function objectText({ properties = {}, required = [] }: JsonSchema, indent = ''): string {
  const inner = `${indent}  `
  const lines = Object.entries(properties).flatMap(([name, property]) => [
    ...docLines(property.description, inner),
    `${inner}${name}${required.includes(name) ? '' : '?'}: ${typeText(property, inner)}`,
  ])
  return lines.length === 0 ? 'Readonly<Record<never, never>>' : `{\n${lines.join('\n')}\n${indent}}`
}

/** A description as a comment before what it describes. */
export function docLines(description: string | undefined, indent = ''): string[] {
  return description === undefined
    ? []
    : [`${indent}/** ${description.replaceAll('*/', '* /').replace(/\s+/g, ' ')} */`]
}

function union(words: readonly string[]): string {
  return [...new Set(words)].join(' | ')
}
