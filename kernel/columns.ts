/**
 * The columns of an entity's properties for a select, each under its property's name, so that a column is spelled in its
 * entity only: `tenant_id as "tenantId", id`. MikroORM names columns by the same rule.
 */
export function columnsOf(properties: object): string {
  return Object.keys(properties).map(selected).join(', ')
}

function selected(property: string): string {
  const column = property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return column === property ? column : `${column} as "${property}"`
}
