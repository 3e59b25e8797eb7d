import { Kind, parse, print, visit, type ConstDirectiveNode } from 'graphql'

/**
 * A composed supergraph whose types name the keys by which a subgraph can be asked before those by which it cannot. Where an object is
 * asked for once more, with what a field requires, Apollo's planner takes the first key of that subgraph, and may ask in vain.
 */
export function resolvableKeysFirst(supergraphSdl: string): string {
  const sorted = <Type extends { directives?: readonly ConstDirectiveNode[] | undefined }>(type: Type): Type => ({
    ...type,
    directives: (type.directives ?? []).toSorted((one, other) => Number(isInVain(one)) - Number(isInVain(other))),
  })
  return print(
    visit(parse(supergraphSdl, { noLocation: true }), {
      ObjectTypeDefinition: sorted,
      InterfaceTypeDefinition: sorted,
    }),
  )
}

/** Whether a directive is `@join__type(…, resolvable: false)`. */
function isInVain({ arguments: given = [] }: ConstDirectiveNode): boolean {
  return given.some(({ name, value }) => name.value === 'resolvable' && value.kind === Kind.BOOLEAN && !value.value)
}
