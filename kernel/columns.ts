import { types, type EntitySchema } from '@mikro-orm/postgresql'

/**
 * The columns of an entity's properties for a select, each under its property's name, so that a column is spelled in its
 * entity only: `tenant_id as "tenantId", id`. MikroORM names columns by the same rule.
 */
export function columnsOf(properties: readonly string[]): string {
  return properties.map(selected).join(', ')
}

function selected(property: string): string {
  const column = columnOf(property)
  return column === property ? column : `${column} as "${property}"`
}

/** The column of a property: `tenant_id` of `tenantId`. */
export function columnOf(property: string): string {
  return property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** PostgreSQL's type of what a property is declared as. Lengths and checks are left to the table that is written to. */
const COLUMN_TYPES = new Map<unknown, string>([
  [types.string, 'text'],
  [types.text, 'text'],
  [types.integer, 'int'],
  [types.boolean, 'boolean'],
  [types.json, 'jsonb'],
  [types.datetime, 'timestamptz'],
])

/**
 * An entity's properties as `json_to_recordset` reads them out of JSON, by their own names: `id text, "tenantId" text`.
 * @throws for a property that is declared as a type which is not in `COLUMN_TYPES`
 */
export function recordOf(entity: EntitySchema, properties: readonly string[]): string {
  const declared: Record<string, { type: unknown } | undefined> = entity.meta.properties
  const typed = (property: string): string => {
    const type = COLUMN_TYPES.get(declared[property]?.type)
    if (!type) throw new Error(`no column type is known for ${entity.meta.className}.${property}`)
    return `"${property}" ${type}`
  }
  return properties.map(typed).join(', ')
}

/** The properties of an entity that are times. */
export function timesOf(entity: EntitySchema): string[] {
  const declared: Record<string, { type: unknown } | undefined> = entity.meta.properties
  return Object.keys(declared).filter((property) => declared[property]?.type === types.datetime)
}

/** A row that came as JSON, with dates where it has their texts; the row becomes it. */
export function withTimes(row: object, times: readonly string[]): object {
  const texts = row as Record<string, unknown>
  for (const time of times) {
    const text = texts[time]
    if (typeof text === 'string') texts[time] = new Date(text)
  }
  return row
}

/** What is read as the driver, or JSON, gives it: times are texts. */
export type RowOf<Read> = {
  [Name in keyof Read]: Date extends Read[Name] ? string | Exclude<Read[Name], Date> : Read[Name]
}

/** Some columns of an entity as a select gives them: one that may be null is there all the same. */
export type Selected<Entity, Property extends keyof Entity> = { [Name in Property]-?: Exclude<Entity[Name], undefined> }
