import {
  defaultTypeResolver,
  GraphQLError,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLAbstractType,
  type GraphQLLeafType,
  type GraphQLList,
  type GraphQLObjectType,
  type GraphQLOutputType,
} from 'graphql'
import { inspect } from 'graphql/jsutils/inspect.js'
import { isPromise } from '../promise-or-value.js'
import { failed, infoOf, type Place, type Run, type SelectedField, type Source } from './execution.js'

/**
 * Makes of what a resolver gave what stands in the answer; or a promise of it.
 * @throws whatever is wrong with it
 */
export type Complete = (run: Run, value: unknown, place: NonNullable<Place>) => unknown

/** Answers the fields that are selected of an object of a type. */
type CompleteObject = (type: GraphQLObjectType) => Complete

/** How values of a field are completed. The sentences of what is wrong are those of graphql-js. */
export function completerOf(
  source: Source,
  field: SelectedField,
  type: GraphQLOutputType,
  objects: CompleteObject,
): Complete {
  if (isNonNullType(type)) {
    const complete = completerOf(source, field, type.ofType, objects)
    return (run, value, place) => {
      const completed = complete(run, value, place)
      if (completed === null)
        throw new Error(`Cannot return null for non-nullable field ${field.parentType.name}.${field.name}.`)
      return completed
    }
  }
  const complete = knownCompleterOf(source, field, type, objects)
  return (run, value, place) => {
    if (value instanceof Error) throw value
    return value === null || value === undefined ? null : complete(run, value, place)
  }
}

/** The same for values that are there. */
function knownCompleterOf(
  source: Source,
  field: SelectedField,
  type: GraphQLOutputType,
  objects: CompleteObject,
): Complete {
  if (isListType(type)) return listCompleter(source, field, type, objects)
  if (isLeafType(type)) return (_run, value) => completeLeaf(type, value)
  if (isAbstractType(type)) return abstractCompleter(source, field, type, objects)
  if (isObjectType(type)) return objectCompleter(source, field, type, objects(type))
  throw new Error('a field answers a type that none answers')
}

/** @throws Error where a leaf's type makes nothing of its value */
export function completeLeaf(type: GraphQLLeafType, value: unknown): unknown {
  const serialized = type.serialize(value)
  if (serialized !== null && serialized !== undefined) return serialized
  throw new Error(
    `Expected \`${inspect(type)}.serialize(${inspect(value)})\` to return non-nullable value, returned: ${inspect(serialized)}`,
  )
}

function listCompleter(
  source: Source,
  field: SelectedField,
  { ofType: type }: GraphQLList<GraphQLOutputType>,
  objects: CompleteObject,
): Complete {
  const { nodes, parentType, name } = field
  const isNonNull = isNonNullType(type)
  const complete = completerOf(source, field, type, objects)
  return (run, value, list) => {
    if (typeof value !== 'object' || typeof (value as Iterable<unknown>)[Symbol.iterator] !== 'function') {
      throw new GraphQLError(`Expected Iterable, but did not find one for field "${parentType.name}.${name}".`)
    }
    const waiting: unknown[] = []
    const completeItem = (item: unknown, key: number): unknown => {
      const place = { prev: list, key, typename: undefined }
      try {
        const completed = isPromise(item)
          ? item.then((resolved) => complete(run, resolved, place))
          : complete(run, item, place)
        if (!isPromise(completed)) return completed
        const safe = completed.then(undefined, (raw: unknown) => failed(run, raw, { nodes, isNonNull, place }))
        waiting.push(safe)
        return safe
      } catch (raw) {
        return failed(run, raw, { nodes, isNonNull, place })
      }
    }
    try {
      const items = Array.from(value as Iterable<unknown>, completeItem)
      return waiting.length > 0 ? Promise.all(items) : items
    } catch (error) {
      // Nobody waits for the others any more: one that fails later would end the process.
      void Promise.allSettled(waiting)
      throw error
    }
  }
}

function abstractCompleter(
  source: Source,
  field: SelectedField,
  type: GraphQLAbstractType,
  objects: CompleteObject,
): Complete {
  const byType = new Map<GraphQLObjectType, Complete>()
  const resolveType = type.resolveType ?? defaultTypeResolver
  const completerFor = (named: unknown, value: unknown): Complete => {
    const runtimeType = runtimeTypeOf(source, field, type, { named, value })
    const complete = byType.get(runtimeType) ?? objectCompleter(source, field, runtimeType, objects(runtimeType))
    byType.set(runtimeType, complete)
    return complete
  }
  return (run, value, place) => {
    const named: unknown = resolveType(value, run.contextValue, infoOf(source, run, field, place), type)
    return isPromise(named)
      ? named.then((resolved) => completerFor(resolved, value)(run, value, place))
      : completerFor(named, value)(run, value, place)
  }
}

/** @throws GraphQLError where what was named is no type that may stand there */
function runtimeTypeOf(
  { schema }: Source,
  { nodes, parentType, name: fieldName }: SelectedField,
  type: GraphQLAbstractType,
  { named, value }: { named: unknown; value: unknown },
): GraphQLObjectType {
  const { name } = type
  const field = `"${parentType.name}.${fieldName}"`
  if (named === null || named === undefined) {
    const advice = `Either the "${name}" type should provide a "resolveType" function or each possible type should provide an "isTypeOf" function.`
    const sentence = `Abstract type "${name}" must resolve to an Object type at runtime for field ${field}. ${advice}`
    throw new GraphQLError(sentence, { nodes })
  }
  if (isObjectType(named)) {
    throw new GraphQLError(
      'Support for returning GraphQLObjectType from resolveType was removed in graphql-js@16.0.0 please return type name instead.',
    )
  }
  if (typeof named !== 'string') {
    throw new GraphQLError(
      `Abstract type "${name}" must resolve to an Object type at runtime for field ${field} with value ${inspect(value)}, received "${inspect(named)}".`,
    )
  }
  const found = schema.getType(named)
  const wrong = (sentence: string): GraphQLError => new GraphQLError(sentence, { nodes })
  if (!found)
    throw wrong(`Abstract type "${name}" was resolved to a type "${named}" that does not exist inside the schema.`)
  if (!isObjectType(found)) throw wrong(`Abstract type "${name}" was resolved to a non-object type "${named}".`)
  if (!schema.isSubType(type, found))
    throw wrong(`Runtime Object type "${found.name}" is not a possible type for "${name}".`)
  return found
}

/** Has the type of an object say first whether the object is of it, where the type can tell. */
function objectCompleter(source: Source, field: SelectedField, type: GraphQLObjectType, complete: Complete): Complete {
  const { isTypeOf } = type
  if (!isTypeOf) return complete
  const completeIf = (isOfType: boolean, run: Run, value: unknown, place: NonNullable<Place>): unknown => {
    if (isOfType) return complete(run, value, place)
    const { nodes } = field
    throw new GraphQLError(`Expected value of type "${type.name}" but got: ${inspect(value)}.`, { nodes })
  }
  return (run, value, place) => {
    const told = isTypeOf(value, run.contextValue, infoOf(source, run, field, place))
    return isPromise(told)
      ? told.then((resolved) => completeIf(resolved as boolean, run, value, place))
      : completeIf(told as boolean, run, value, place)
  }
}
