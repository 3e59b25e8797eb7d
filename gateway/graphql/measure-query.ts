import {
  getNamedType,
  getNullableType,
  getOperationAST,
  GraphQLError,
  isCompositeType,
  isListType,
  isObjectType,
  isInterfaceType,
  Kind,
  SchemaMetaFieldDef,
  type DocumentNode,
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  type InlineFragmentNode,
  type FragmentSpreadNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'
import { introspectionLists, SCHEMA_FIELDS, standardIntrospection } from './introspection-size.js'
import {
  fragmentsOf,
  isAsked,
  valueOf,
  withConditions,
  type CostedSchema,
  type Measuring,
  type Size,
} from './measuring.js'
import { rootKeysOf } from './root-keys.js'

/** How long a list is taken to be of which the schema says nothing. */
const LIST_SIZE = 5
/** A value that costs as much as an object takes as much as so many plain values. */
const VALUES_PER_OBJECT = 5
/**
 * A contract's request takes about a millisecond of this process and the database. In that time an answer gets so many
 * objects, or so many values: nine pages of 100 payments with all fields took 553 ms.
 */
const OBJECTS_PER_REQUEST = 50
const VALUES_PER_REQUEST = 250
/** Parsing, validating and planning: so many fields take as long as a contract's request. */
const FIELDS_PER_REQUEST = 50
/** Planning what so many `@skip` and `@include` leave in, each counted for each that is around it, takes longer still. */
const CONDITIONS_PER_REQUEST = 20
/** What one reading of the schema counts that is no larger than what tools read at their start; its depth is bounded by graphql-js. */
const INTROSPECTION_COST = 2000

/** The largest `Int`; a larger number is refused when the variables are read. */
const INT_MAX = 2 ** 31 - 1

/** How large a query is. */
export interface QueryMeasure {
  /** Of the whole document, as it is planned whole. */
  depth: number
  aliases: number
  /** The objects that its answer can have: without what `@skip` and `@include` leave out. */
  cost: number
  /** What making its answer takes, in requests: what it counts against the rate of its key. At least 1. */
  weight: number
  /** The fields of the document, with fragments written out: what planning it takes. */
  fields: number
  /** Its fields and fragments with `@skip` or `@include`, each as often as there are conditions around it, its own included. */
  conditions: number
  /** The result names of the root fields that are asked for. */
  rootKeys: ReadonlySet<string>
  /** Whether variables decided about a list's length or what is asked for, so that others may give another measure. */
  variesWithVariables: boolean
}

const NOTHING: Readonly<Size> = {
  ...{ depth: 0, aliases: 0, cost: 0, objects: 0, values: 0 },
  ...{ fields: 0, conditions: 0, nestedConditions: 0 },
}

/**
 * Measures one operation of a valid document. Each fragment is measured once for each length of the page it is in, however
 * often it is spread: documents that grow exponentially when written out cost no more than others.
 * @param variables as the client sent them
 */
export function measureQuery(
  { schema, costs }: CostedSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): QueryMeasure {
  const fragments = fragmentsOf(document)
  const measuring: Measuring = {
    schema,
    costs,
    fragments,
    operation,
    variables,
    variesWithVariables: false,
    measured: new Map(),
  }
  const root = schema.getRootType(operation.operation)
  if (!root) throw new GraphQLError(`the schema has no ${operation.operation}`)
  const size = sizeOfSelections(measuring, root, operation.selectionSet, undefined)
  const { depth, aliases, cost, nestedConditions: conditions } = size
  const rootKeys = rootKeysOf(operation.selectionSet, fragments, (node) => isAsked(measuring, node))
  const weight = weightOf({ ...size, conditions }, rootKeys.size)
  return {
    depth,
    aliases,
    cost,
    weight,
    fields: size.fields,
    conditions,
    rootKeys,
    variesWithVariables: measuring.variesWithVariables,
  }
}

/** A field of the root counts like a request of the contract, which asks for one; what is large counts by its size. */
export function weightOf(
  {
    objects,
    values,
    fields,
    conditions,
  }: Pick<Size, 'objects' | 'values'> & Pick<QueryMeasure, 'fields' | 'conditions'>,
  rootFields: number,
): number {
  const answering = objects / OBJECTS_PER_REQUEST + values / VALUES_PER_REQUEST
  const planning = fields / FIELDS_PER_REQUEST + conditions / CONDITIONS_PER_REQUEST
  return Math.max(1, rootFields, Math.floor(answering + planning))
}

/** @param pageSize how long the lists right in here are whose length the field around them decides */
function sizeOfSelections(
  measuring: Measuring,
  parent: GraphQLCompositeType,
  { selections }: SelectionSetNode,
  pageSize: PageSize | undefined,
): Size {
  const sum = { ...NOTHING }
  for (const selection of selections) {
    const size = withConditions(
      selection.kind === Kind.FIELD
        ? sizeOfField(measuring, parent, selection, pageSize)
        : sizeOfFragment(measuring, parent, selection, pageSize),
      selection,
    )
    sum.depth = Math.max(sum.depth, size.depth)
    sum.aliases += size.aliases
    sum.fields += size.fields
    sum.conditions += size.conditions
    sum.nestedConditions += size.nestedConditions
    if (!isAsked(measuring, selection)) continue
    sum.cost += size.cost
    sum.objects += size.objects
    sum.values += size.values
  }
  return sum
}

function sizeOfField(
  measuring: Measuring,
  parent: GraphQLCompositeType,
  node: FieldNode,
  pageSize: PageSize | undefined,
): Size {
  const aliases = node.alias ? 1 : 0
  const name = node.name.value
  const ofSchema = SCHEMA_FIELDS.get(name)
  if (ofSchema) return sizeOfReading(measuring, ofSchema, node)
  const field = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined
  const type = field && getNamedType(field.type)
  const weights = measuring.costs.weights
  const own = weights.get(`${parent.name}.${name}`)
  if (!field || !node.selectionSet || !isCompositeType(type)) {
    const values = (weights.get(type?.name ?? '') ?? 0) * VALUES_PER_OBJECT || 1
    return { ...NOTHING, depth: 1, aliases, cost: own ?? 0, objects: own ?? 0, values, fields: 1 }
  }
  const listed = listSizeOf(measuring, parent, field, node)
  const isList = isListType(getNullableType(field.type))
  const inner = sizeOfSelections(measuring, type, node.selectionSet, isList ? undefined : listed)
  const given = pageSize?.sizedFields.includes(name) ? pageSize : listed
  const places = isList ? (given?.most ?? LIST_SIZE) : 1
  const usual = isList ? (given?.usual ?? LIST_SIZE) : 1
  return {
    ...inner,
    depth: inner.depth + 1,
    aliases: inner.aliases + aliases,
    cost: (inner.cost + (own ?? 1)) * places,
    objects: (inner.objects + (own ?? 1)) * usual,
    values: inner.values * usual,
    fields: inner.fields + 1,
  }
}

/** What reading the schema takes: a larger one than the standard one counts as many of those. */
function sizeOfReading(measuring: Measuring, field: GraphQLField<unknown, unknown>, node: FieldNode): Size {
  const { aliases, fields, ...inner } = sizeBelow(measuring, field, node)
  const cost = Math.ceil(INTROSPECTION_COST * Math.max(1, workOf(inner) / standardWork(measuring)))
  return { ...NOTHING, depth: 1, aliases: aliases + (node.alias ? 1 : 0), fields: fields + 1, cost, objects: cost }
}

function sizeBelow(measuring: Measuring, { type }: GraphQLField<unknown, unknown>, { selectionSet }: FieldNode): Size {
  const read = getNamedType(type)
  return selectionSet && isCompositeType(read) ? sizeOfSelections(measuring, read, selectionSet, undefined) : NOTHING
}

/** Objects and values alike: graphql-js, which answers a reading, goes through each. */
function workOf({ objects, values }: Pick<Size, 'objects' | 'values'>): number {
  return objects + values / VALUES_PER_OBJECT
}

const standards = new WeakMap<GraphQLSchema, number>()

/** The work of reading a schema as tools do at their start. */
function standardWork(measuring: Measuring): number {
  const known = standards.get(measuring.schema)
  if (known !== undefined) return known
  const standard = standardIntrospection()
  const fragments = fragmentsOf(standard)
  const [reading] = getOperationAST(standard)?.selectionSet.selections ?? []
  if (reading?.kind !== Kind.FIELD) throw new Error('graphql-js reads a schema otherwise')
  const work = workOf(sizeBelow({ ...measuring, fragments, measured: new Map() }, SchemaMetaFieldDef, reading))
  standards.set(measuring.schema, work)
  return work
}

function sizeOfFragment(
  measuring: Measuring,
  parent: GraphQLCompositeType,
  node: InlineFragmentNode | FragmentSpreadNode,
  pageSize: PageSize | undefined,
): Size {
  const typeNamed = (name: string | undefined): GraphQLCompositeType => {
    const type = name === undefined ? undefined : measuring.schema.getType(name)
    return isCompositeType(type) ? type : parent
  }
  if (node.kind === Kind.INLINE_FRAGMENT) {
    return sizeOfSelections(measuring, typeNamed(node.typeCondition?.name.value), node.selectionSet, pageSize)
  }
  const key = `${node.name.value} ${pageSize?.most} ${pageSize?.usual}`
  const known = measuring.measured.get(key)
  if (known) return known
  const fragment = measuring.fragments.get(node.name.value)
  const size = fragment
    ? sizeOfSelections(measuring, typeNamed(fragment.typeCondition.name.value), fragment.selectionSet, pageSize)
    : NOTHING
  measuring.measured.set(key, size)
  return size
}

/** How long a list is: at most, and usually. */
interface PageSize {
  most: number
  usual: number
  /** Of which lists of the object that the field answers. */
  sizedFields: readonly string[]
}

/** How long the list of a field is, by its arguments or as the schema takes it to be; undefined where neither says it. */
function listSizeOf(
  measuring: Measuring,
  parent: GraphQLCompositeType,
  { name, args }: GraphQLField<unknown, unknown>,
  node: FieldNode,
): PageSize | undefined {
  const path = `${parent.name}.${name}`
  const listSize = measuring.costs.listSizes.get(path)
  if (!listSize) {
    const told = introspectionLists(measuring.schema).get(path)
    return told === undefined ? undefined : { most: told, usual: told, sizedFields: [] }
  }
  const { assumedSize, slicingArguments, sizedFields } = listSize
  const slicing = args.filter((argument) => slicingArguments.includes(argument.name))
  const sizes = slicing.map(({ name: argument, defaultValue }) => {
    const given = node.arguments?.find((one) => one.name.value === argument)?.value
    if (given?.kind === Kind.INT) return Number(given.value)
    const value = given?.kind === Kind.VARIABLE ? valueOf(measuring, given.name.value) : defaultValue
    return Number.isInteger(value) && Number(value) <= INT_MAX ? Number(value) : 0
  })
  const isGiven = node.arguments?.some((argument) => slicingArguments.includes(argument.name.value)) === true
  // An argument that is absent, or that is refused anyway, leaves the length that is assumed.
  const size = Math.max(0, ...sizes)
  const most = size > 0 ? size : assumedSize
  return { most, usual: isGiven ? most : Math.min(most, assumedSize), sizedFields }
}
