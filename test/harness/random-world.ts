import {
  getNullableType,
  isAbstractType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  responsePathAsArray,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
} from 'graphql'
import { pick, randomOf } from '../../chaos/random.js'

type Random = () => number

/** Where values are made up: the same seed makes the same ones, in whatever order they are asked for. */
export interface World {
  schema: GraphQLSchema
  seed: number
  /** What scalars are in code, by their type. */
  scalars: Readonly<Record<string, readonly unknown[]>>
  /** How likely a value is wrong in one of the ways in which it can be. */
  wrong: number
}

/** What resolvers of a world are given: it notes who was called, with what, in which order. */
export interface WorldContext {
  world: World
  calls: string[]
}

/** Lets fields be resolved out of the world in their context. @param isResolved which; the others are properties */
export function resolveByWorld(
  schema: GraphQLSchema,
  isResolved: (type: GraphQLObjectType, field: string) => boolean,
): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue
    for (const field of Object.values(type.getFields())) {
      if (!isResolved(type, field.name)) continue
      field.resolve = (_object, args, context, info) => {
        const { world, calls } = context as WorldContext
        const at = responsePathAsArray(info.path).join('.')
        calls.push(`${info.parentType.name}.${info.fieldName} ${at} ${JSON.stringify(args)}`)
        return valueOf(world, info.returnType, at)
      }
    }
  }
}

/** A value at a place, or something that is none: a promise that is slow or fails, an error, the wrong thing, a throw. */
function valueOf(world: World, type: GraphQLOutputType, at: string): unknown {
  const random = randomOf(hashOf(`${world.seed} later ${at}`))
  return random() < 0.2 ? later(random, () => valueNow(world, type, at)) : valueNow(world, type, at)
}

function valueNow(world: World, type: GraphQLOutputType, at: string): unknown {
  const random = randomOf(hashOf(`${world.seed} ${at}`))
  const isWrong = (): boolean => random() < world.wrong
  if (isWrong()) throw new Error(`thrown at ${at}`)
  if (isWrong()) return new Error(`given at ${at}`)
  if (isWrong()) return null
  if (isWrong()) return undefined
  const drawn = { at, random, isWrong }
  const bare = getNullableType(type)
  if (isListType(bare)) return listOf(world, bare.ofType, drawn)
  if (isScalarType(bare)) return isWrong() ? {} : pick(random, world.scalars[bare.name] ?? ['text'])
  if (isEnumType(bare)) return isWrong() ? 'none' : pick(random, bare.getValues()).value
  if (isWrong()) return 'no object'
  if (isObjectType(bare)) return objectOf(world, bare, drawn)
  if (!isAbstractType(bare)) throw new Error('a type that no field answers')
  const all = Object.values(world.schema.getTypeMap()).filter(isObjectType)
  return objectOf(world, pick(random, isWrong() ? all : world.schema.getPossibleTypes(bare)), drawn)
}

interface Drawn {
  at: string
  random: Random
  isWrong: () => boolean
}

/**
 * A list. Where an item may not be null, all items are there or all are promises: of items that are promises graphql-js
 * forgets to listen to the others when one fails at once.
 */
function listOf(world: World, type: GraphQLOutputType, { at, random, isWrong }: Drawn): unknown {
  if (isWrong()) return pick<unknown>(random, ['text', 7, { length: 2 }])
  const isNow = isLeafType(getNullableType(type)) && random() < 0.5
  const items = Array.from({ length: Math.floor(random() * 4) }, (_, index) => {
    const value = (): unknown => valueNow(world, type, `${at}.${index}`)
    return (isNonNullType(type) ? !isNow : random() < 0.2) ? later(random, value) : thrownAsValue(value)
  })
  return random() < 0.2 ? new Set(items) : items
}

/** What would be thrown cannot stand in a list. */
function thrownAsValue(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}

/** An object whose fields are properties, methods, or throw when they are read. */
function objectOf(world: World, type: GraphQLObjectType, { at, random, isWrong }: Drawn): object {
  const made = isWrong() ? {} : { __typename: isWrong() ? 'Nobody' : type.name }
  for (const { name, type: fieldType } of Object.values(type.getFields())) {
    const value = (): unknown => valueOf(world, fieldType, `${at}.${name}`)
    const isMethod = random() < 0.2
    Object.defineProperty(made, name, { get: isMethod ? () => value : value, enumerable: true })
  }
  return made
}

/** Something with a `then` that does nothing until it is asked: what nobody asks for cannot fail unseen. */
function later(random: Random, work: () => unknown): PromiseLike<unknown> {
  const ticks = Math.floor(random() * 4)
  return {
    then: (onValue, onError) => {
      let waited = Promise.resolve()
      for (let tick = 0; tick < ticks; tick += 1) waited = waited.then(() => undefined)
      return waited.then(work).then(onValue, onError)
    },
  }
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash >>> 0
}
