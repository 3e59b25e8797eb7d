import { Kind, parse, type ConstDirectiveNode, type ConstValueNode } from 'graphql'

/** How long the list of a field is, as `@listSize` says it. */
export interface ListSize {
  /** Where no argument says it. */
  assumedSize: number
  slicingArguments: readonly string[]
  /** The lists of the object that the field answers whose length this is; where there are none it is the field's own. */
  sizedFields: readonly string[]
}

/** What a schema says of its costs. */
export interface QueryCosts {
  /** By `Type.field`. */
  listSizes: ReadonlyMap<string, ListSize>
  /** What a field, by `Type.field`, or a scalar, by its name, costs in objects. */
  weights: ReadonlyMap<string, number>
}

/** Reads `@listSize` and `@cost` of a supergraph; its API schema has lost them. */
export function readQueryCosts(supergraphSdl: string): QueryCosts {
  const listSizes = new Map<string, ListSize>()
  const weights = new Map<string, number>()
  const read = (name: string, directives: readonly ConstDirectiveNode[] = []): void => {
    for (const directive of directives) {
      if (directive.name.value === 'cost') weights.set(name, Number(argumentOf(directive, 'weight')))
      if (directive.name.value === 'listSize') listSizes.set(name, listSizeOf(directive))
    }
  }
  for (const node of parse(supergraphSdl, { noLocation: true }).definitions) {
    if (node.kind === Kind.SCALAR_TYPE_DEFINITION) read(node.name.value, node.directives)
    if (node.kind !== Kind.OBJECT_TYPE_DEFINITION && node.kind !== Kind.INTERFACE_TYPE_DEFINITION) continue
    for (const { name, directives } of node.fields ?? []) read(`${node.name.value}.${name.value}`, directives)
  }
  return { listSizes, weights }
}

function listSizeOf(directive: ConstDirectiveNode): ListSize {
  return {
    assumedSize: Number(argumentOf(directive, 'assumedSize')),
    slicingArguments: textsOf(argumentOf(directive, 'slicingArguments')),
    sizedFields: textsOf(argumentOf(directive, 'sizedFields')),
  }
}

function argumentOf({ arguments: given = [] }: ConstDirectiveNode, name: string): unknown {
  const value = given.find((argument) => argument.name.value === name)?.value
  return value && valueOf(value)
}

function valueOf(value: ConstValueNode): unknown {
  if (value.kind === Kind.LIST) return value.values.map(valueOf)
  return 'value' in value ? value.value : undefined
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : []
}
