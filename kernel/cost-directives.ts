import {
  Kind,
  parse,
  print,
  type ConstDirectiveNode,
  type DefinitionNode,
  type FieldDefinitionNode,
  type InterfaceTypeDefinitionNode,
  type ObjectTypeDefinitionNode,
  type TypeNode,
  type UnionTypeDefinitionNode,
} from 'graphql'

/** How long a page is where a query does not say. */
const PAGE_SIZE = 20
/** How long a page can be that is asked for by an input, which no directive can look into. */
const PAGE_SIZE_MAX = 100
/** What is asked for by its ids is as long as they are, and nodes are 100 at most. */
const IDS_MAX = 100
/** How long a list without pages is taken to be: receivers, items, rates. */
const LIST_SIZE = 5
/** JSON is read, parsed and written out as a whole: it takes as much as so many objects. */
const JSON_WEIGHT = 8
/** What counting a list takes, in objects. */
const COUNT_WEIGHT = 50

/** Says of a list without an end whether it was counted to its end; a list that has one needs no such field. */
const EXACT = 'isTotalCountExact'

/** The directive for a list whose length is bounded by more than its form tells. @param most how long it can be */
export function listOfAtMost(most: number): string {
  return `@listSize(assumedSize: ${most})`
}

/** The argument that says how long a list is. */
const SLICING = ['first', 'limit']

/**
 * Writes into a subgraph's schema what its fields cost, as `@cost` and `@listSize` of the cost specification
 * (https://ibm.github.io/graphql-specs/cost-spec.html), so that every gateway knows it before it runs anything. What is not
 * said costs as there: an object 1, a value nothing. A list that says its size already keeps that.
 */
export function withCosts(sdl: string): string {
  const { definitions } = parse(sdl)
  const composites = new Set(definitions.flatMap((node) => (isComposite(node) ? [node.name.value] : [])))
  const paged = new Map(definitions.flatMap((node) => pagedFieldsOf(node, composites)))
  const costed = definitions.map((node) => {
    if (node.kind === Kind.SCALAR_TYPE_DEFINITION && node.name.value === 'JSON')
      return { ...node, directives: [...(node.directives ?? []), costOf(JSON_WEIGHT)] }
    if (node.kind !== Kind.OBJECT_TYPE_DEFINITION) return node
    const counts = node.fields?.some(({ name }) => name.value === EXACT) === true
    const given = { composites, paged, counts, parent: node.name.value }
    return { ...node, fields: node.fields?.map((field) => withCost(field, given)) ?? [] }
  })
  return `${print({ kind: Kind.DOCUMENT, definitions: costed })}\n`
}

type CompositeNode = ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode | UnionTypeDefinitionNode

function isComposite(node: DefinitionNode): node is CompositeNode {
  return (
    node.kind === Kind.OBJECT_TYPE_DEFINITION ||
    node.kind === Kind.INTERFACE_TYPE_DEFINITION ||
    node.kind === Kind.UNION_TYPE_DEFINITION
  )
}

/** The lists of a type whose length the field around it decides: those of connections and pages. */
function pagedFieldsOf(node: DefinitionNode, composites: ReadonlySet<string>): [string, readonly string[]][] {
  if (node.kind !== Kind.OBJECT_TYPE_DEFINITION || !/(?:Connection|Page)$/.test(node.name.value)) return []
  const isConnection = node.name.value.endsWith('Connection')
  const lists = (node.fields ?? []).filter(
    ({ name, type }) => isList(type) && composites.has(nameOf(type)) && (!isConnection || name.value === 'edges'),
  )
  return [[node.name.value, lists.map(({ name }) => name.value)]]
}

function withCost(
  field: FieldDefinitionNode,
  given: {
    composites: ReadonlySet<string>
    paged: ReadonlyMap<string, readonly string[]>
    /** Whether the type has a count of a list without an end. */
    counts: boolean
    parent: string
  },
): FieldDefinitionNode {
  const added = directivesOf(field, given)
  return added.length > 0 ? { ...field, directives: [...(field.directives ?? []), ...added] } : field
}

function directivesOf(
  { name, type, arguments: args = [], directives = [] }: FieldDefinitionNode,
  { composites, paged, counts, parent }: Parameters<typeof withCost>[1],
): ConstDirectiveNode[] {
  // Where it is declared, more is known of it than its form tells.
  if (directives.some((directive) => directive.name.value === 'listSize')) return []
  if (counts && ['totalCount', EXACT].includes(name.value)) return [costOf(COUNT_WEIGHT)]
  const slicing = args.map((argument) => argument.name.value).filter((argument) => SLICING.includes(argument))
  const sized = paged.get(nameOf(type)) ?? []
  if (sized.length > 0) {
    if (slicing.length > 0) return [listSize(PAGE_SIZE, slicing, sized)]
    return [listSize(args.length > 0 ? PAGE_SIZE_MAX : PAGE_SIZE, [], sized)]
  }
  if (!isList(type) || !composites.has(nameOf(type)) || paged.get(parent)?.includes(name.value)) return []
  if (args.some((argument) => argument.name.value === 'ids')) return [listSize(IDS_MAX, [], [])]
  return [listSize(slicing.length > 0 ? PAGE_SIZE : LIST_SIZE, slicing, [])]
}

function isList(type: TypeNode): boolean {
  return type.kind === Kind.NON_NULL_TYPE ? isList(type.type) : type.kind === Kind.LIST_TYPE
}

function nameOf(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : nameOf(type.type)
}

function costOf(weight: number): ConstDirectiveNode {
  return directive(`@cost(weight: ${weight})`)
}

/** None of the arguments has to be there: without them a page has its usual length. */
function listSize(assumed: number, slicing: readonly string[], sized: readonly string[]): ConstDirectiveNode {
  const parts = [
    `assumedSize: ${assumed}`,
    ...(slicing.length > 0 ? [`slicingArguments: ${JSON.stringify(slicing)}, requireOneSlicingArgument: false`] : []),
    ...(sized.length > 0 ? [`sizedFields: ${JSON.stringify(sized)}`] : []),
  ]
  return directive(`@listSize(${parts.join(', ')})`)
}

/** A directive as it is written. */
function directive(text: string): ConstDirectiveNode {
  const [type] = parse(`scalar Any ${text}`, { noLocation: true }).definitions
  const [node] = type?.kind === Kind.SCALAR_TYPE_DEFINITION ? (type.directives ?? []) : []
  if (!node) throw new Error(`no directive: ${text}`)
  return node
}
