import { buildSubgraphSchema } from '@apollo/subgraph'
import { printSchemaWithDirectives } from '@graphql-tools/utils'
import { isObjectType, parse, type DocumentNode, type GraphQLError, type GraphQLSchema } from 'graphql'
import { buildSchemaSync, createResolversMap, getMetadataStorage, registerEnumType } from 'type-graphql'
import type { AuditLog } from './audit.js'
import { writeActsDown } from './audit-handlers.js'
import { withCosts } from './cost-directives.js'
import { AppError } from './errors.js'
import type { Gauge } from './gauge.js'
import type { JobKind, PeriodicJob } from './jobs.js'
import type { Logger } from './log.js'
import { answerPayloads, withPayloads } from './mutation-payloads.js'
import { askPermission, askToRead } from './permission-handlers.js'
import { askOnTheWay } from './permission-steps.js'
import { RIGHTS, type Scope } from './permissions.js'
import { usePlainHandlers } from './plain-handlers.js'
import type { PromiseOrValue } from './promise-or-value.js'
import { readAnew } from './read-anew.js'
import type { Caller, IdempotencyRequest, Person, Tenant } from './tenant.js'
import { withoutDefinitions } from './without-definitions.js'

/** What one GraphQL request carries through every subgraph it touches. */
export interface RequestContext {
  requestId: string
  caller: Caller
  idempotency?: IdempotencyRequest
  /** Whether its answer is so large that it has to yield to other requests while it is made. */
  yieldsToOthers?: boolean
}

/** What a resolver gets: the request, and the subgraph's own dependencies for it. */
export interface SubgraphContext<Deps> extends RequestContext {
  deps: Deps
  /** Makes them anew: their loaders have read nothing yet. Absent where resolvers are called by themselves. */
  newDeps?: () => Deps
  log: Logger
  /** Where acts are written down; absent where a subgraph runs by itself, without the database of all. */
  audit?: AuditLog
}

/** One operation for a subgraph, already parsed. */
export interface SubgraphRequest {
  document: DocumentNode
  operationName?: string | undefined
  variables?: Record<string, unknown> | undefined
  context: RequestContext
}

export interface SubgraphResult {
  data?: Record<string, unknown> | null
  errors?: readonly GraphQLError[]
}

/** Runs operations in a subgraph: in this process, or over HTTP where the subgraph is in another. */
export type SubgraphExecutor = (request: SubgraphRequest) => PromiseOrValue<SubgraphResult>

/** A subgraph that runs in this process. */
export interface RunningSubgraph {
  schema: GraphQLSchema
  execute: SubgraphExecutor
  /** Its background work, for the process that plays the worker. */
  jobs: readonly JobKind<never>[]
  periodic: readonly PeriodicJob[]
  /** Its figures for `GET /metrics`. */
  gauges?: readonly Gauge[]
  /** Whether its database answers within a second. Never rejects. */
  isReady: () => Promise<boolean>
  close: () => Promise<void>
}

/** Resolves entity references (`{id}`) of one type; called once per reference, batched by the deps' loaders. */
export type ReferenceResolver<Deps> = (reference: { id: string }, context: SubgraphContext<Deps>) => unknown

export interface SubgraphParts<Deps> {
  resolvers: readonly [new () => object, ...(new () => object)[]]
  orphanedTypes?: readonly (new () => object)[]
  references: Record<string, ReferenceResolver<Deps>>
  /** What has to be allowed to a caller who comes to its objects from those of another subgraph; all with references have it. */
  readScope?: Scope
  /**
   * The root type `Subscription` in SDL. No subgraph runs it: the gateway reads what an event shows by a query (see
   * `gateway/graphql/subscription-document.ts`), so there is nothing to resolve.
   */
  subscriptions?: string
}

/** Federation 2.9: the newest that the composer takes without Apollo's own build. */
const FEDERATION_LINK =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable", "@inaccessible", "@external", "@requires", "@provides", "@cost", "@listSize"]) @contact(name: "API", description: "Say the request id of the answer that a question is about.")\n\ndirective @contact(name: String!, url: String, description: String) on SCHEMA'

/** The same in every subgraph: composition keeps one. */
const ROOT_DESCRIPTIONS: Readonly<Record<string, string>> = {
  Query: 'What can be read. With a key of a tenant, of that tenant only.',
  Mutation:
    'What can be changed. With the header `Idempotency-Key`, of 1 to 255 characters and sent once, a request changes it once, however often it is sent within 24 hours: each time it is answered as the first time, with the header `idempotent-replayed: true`. Its document has exactly one field of `Mutation`. With another document, operation or variables the same key is refused (`IDEMPOTENCY_KEY_REUSED`), as it is while the first request runs (`IDEMPOTENCY_IN_PROGRESS`). What answers a secret that is shown once is done each time.',
}

/** The federated schema of a subgraph, ready to run and ready to print. */
export function buildSubgraph<Deps>(parts: SubgraphParts<Deps>): { schema: GraphQLSchema; sdl: string } {
  // A field without a resolver of its own is a property. TypeGraphQL would wrap the reading of each in three functions,
  // which costs a third of a query.
  for (const type of getMetadataStorage().objectTypes) type.simpleResolvers ??= true
  // Decorators of parameters run from the last to the first, and the schema would list arguments so.
  getMetadataStorage().params.sort((one, other) => one.index - other.index)
  const built = buildSchemaSync({
    resolvers: [...parts.resolvers] as [new () => object],
    orphanedTypes: [...(parts.orphanedTypes ?? [])],
    validate: false,
    // Resolvers are made once: they hold no state.
    container: { get: (type) => instanceOf(type as new () => object) },
  })
  for (const type of Object.values(built.getTypeMap())) {
    const rootDescription = ROOT_DESCRIPTIONS[type.name]
    if (rootDescription !== undefined) type.description = rootDescription
    // TypeGraphQL has no directives on enums.
    if (internalEnums.has(type.name)) type.extensions = { ...type.extensions, directives: { inaccessible: {} } }
  }
  const printed = `${FEDERATION_LINK}\n\n${printSchemaWithDirectives(built)}\n`
  const declared = parts.subscriptions === undefined ? printed : withSubscriptions(printed, parts.subscriptions)
  const { sdl: paid, payloads } = withPayloads(declared)
  const sdl = withCosts(paid)
  const resolvers = createResolversMap(built) as Record<string, Record<string, unknown>>
  usePlainHandlers(resolvers, parts.resolvers, instanceOf)
  answerPayloads(resolvers['Mutation'] ?? {}, payloads)
  const isOwnMutation = ownFields(built, 'Mutation')
  writeActsDown(resolvers['Mutation'] ?? {}, (field) => isOwnMutation.has(field))
  for (const type of ['Query', 'Mutation']) {
    const own = ownFields(built, type)
    askPermission(resolvers[type] ?? {}, (field) => own.has(field))
  }
  readAnew(resolvers['Mutation'] ?? {})
  const entities = Object.keys(parts.references)
  if (parts.readScope) askOnTheWay(resolvers, { schema: built, entities, scope: parts.readScope })
  for (const [type, resolve] of Object.entries(parts.references)) {
    if (!parts.readScope) throw new Error(`${type} is led to by other subgraphs: say what it takes to read it`)
    resolvers[type] = { ...resolvers[type], __resolveReference: askToRead(resolve, parts.readScope) }
  }
  for (const { name, resolveType } of [getMetadataStorage().unions, getMetadataStorage().interfaceTypes].flat()) {
    const abstract = resolvers[name]
    if (abstract && resolveType) abstract['__resolveType'] = typeNameResolver(resolveType)
  }
  const schema = buildSubgraphSchema([{ typeDefs: parse(sdl, { noLocation: true }), resolvers: resolvers as never }])
  return { schema: withoutDefinitions(schema), sdl }
}

/**
 * The fields of a type that only other parts of the product ask for, by themselves. What is hidden from clients of the graph and has a
 * right is what REST asks for on a caller's behalf: that takes the right, and is written down, as any other.
 */
function ownFields(schema: GraphQLSchema, typeName: string): ReadonlySet<string> {
  const type = schema.getType(typeName)
  const fields = isObjectType(type) ? Object.values(type.getFields()) : []
  const isHidden = ({ astNode }: (typeof fields)[number]): boolean =>
    astNode?.directives?.some(({ name }) => name.value === 'inaccessible') === true
  return new Set(
    fields.filter((field) => isHidden(field) && !Object.hasOwn(RIGHTS, field.name)).map(({ name }) => name),
  )
}

/** The printed schema with one more root type. */
function withSubscriptions(sdl: string, subscriptions: string): string {
  return `${sdl.replace('  mutation: Mutation\n', '  mutation: Mutation\n  subscription: Subscription\n')}\n${subscriptions}`
}

/**
 * Which type of a union or an interface a value is, by its name and at once. TypeGraphQL tells it through a promise, and then every object
 * around the value waits for all of its fields.
 */
function typeNameResolver(resolveType: (value: unknown, ...rest: never[]) => unknown): (value: unknown) => unknown {
  const names = new Map<unknown, string>(getMetadataStorage().objectTypes.map(({ target, name }) => [target, name]))
  return (value) => {
    const type = resolveType(value)
    return names.get(type) ?? type
  }
}

const instances = new Map<new () => object, object>()

function instanceOf(type: new () => object): object {
  const known = instances.get(type)
  if (known) return known
  const made = new type()
  instances.set(type, made)
  return made
}

/**
 * The operator who asks: one of the deployment's own people, signed in at the console. A key is no operator's, whatever it may do.
 * @throws AppError `permission_denied` for everyone else
 */
export function operatorOf({ caller }: RequestContext): Person {
  if (caller.tenantId !== null || caller.person?.role !== 'operator') throw new AppError('permission_denied')
  return caller.person
}

/** The tenant who calls. Throws `customer_not_logged` for a platform key, which belongs to no tenant. */
export function tenantOf(context: RequestContext): Tenant {
  const { caller, requestId, idempotency } = context
  if (caller.tenantId === null) throw new AppError('customer_not_logged')
  const { tenantId: id, products, publicClientId, pageOf } = caller
  return {
    id,
    products,
    requestId,
    ...(publicClientId !== undefined && { publicClientId }),
    ...(pageOf !== undefined && { pageOf }),
    ...(idempotency && { idempotency }),
  }
}

/**
 * A GraphQL enum whose names are the given words in capitals, with `_` for what no name has, and whose values in code are the words
 * themselves: `platform-fee` is `PLATFORM_FEE`, `subscription.paused` is `SUBSCRIPTION_PAUSED`.
 * @param meanings the words, as REST and the database write them, each with what it means
 */
export function graphqlEnum<Word extends string>(
  name: string,
  description: string,
  meanings: Readonly<Record<Word, string>>,
): Record<string, Word> {
  const words = Object.keys(meanings) as Word[]
  const members = Object.fromEntries(words.map((word) => [enumName(word), word])) as Record<string, Word>
  const valuesConfig = Object.fromEntries(words.map((word) => [enumName(word), { description: meanings[word] }]))
  registerEnumType(members, { name, description, valuesConfig })
  return members
}

/** The name of a word in the graph. */
function enumName(word: string): string {
  return word.toUpperCase().replace(/[-.]/g, '_')
}

const internalEnums = new Set<string>()

/** As `graphqlEnum`, for what only other parts of the product read: clients do not see it. */
export function internalEnum<Word extends string>(
  name: string,
  description: string,
  meanings: Readonly<Record<Word, string>>,
): Record<string, Word> {
  internalEnums.add(name)
  return graphqlEnum(name, description, meanings)
}
