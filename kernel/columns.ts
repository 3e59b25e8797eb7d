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

/** Some columns of an entity as a select gives them: one that may be null is there all the same. */
export type Selected<Entity, Property extends keyof Entity> = { [Name in Property]-?: Exclude<Entity[Name], undefined> }
