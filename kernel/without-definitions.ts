import { isEnumType, isInputObjectType, isInterfaceType, isObjectType, type GraphQLSchema } from 'graphql'

/**
 * The schema without the parsed text that it was made of, which takes more memory than the schema itself. Validation, planning and
 * running ask for none of it.
 * @param schema changed in place
 */
export function withoutDefinitions(schema: GraphQLSchema): GraphQLSchema {
  forget(schema)
  for (const type of Object.values(schema.getTypeMap())) {
    forget(type)
    if (isEnumType(type)) type.getValues().forEach(forget)
    if (isInputObjectType(type)) Object.values(type.getFields()).forEach(forget)
    if (!isObjectType(type) && !isInterfaceType(type)) continue
    for (const field of Object.values(type.getFields())) {
      forget(field)
      field.args.forEach(forget)
    }
  }
  return schema
}

function forget(part: { astNode?: unknown; extensionASTNodes?: readonly unknown[] }): void {
  part.astNode = undefined
  if (part.extensionASTNodes) part.extensionASTNodes = []
}
