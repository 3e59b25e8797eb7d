import { defaultFieldResolver, getNamedType, isLeafType, isObjectType, type GraphQLObjectType } from 'graphql'
import type { SelectionSetNode } from 'graphql'
import { collectFields } from './collect-fields.js'
import type { Complete } from './complete-value.js'
import { isPromise } from '../promise-or-value.js'
import type { Source } from './execution.js'

/** So many answers are made of one value at most: clients decide how many documents there are. */
const KEPT_MAX = 16

/** What was answered of an unchanging value, by what makes the answer of a selection. */
const answersOf = new WeakMap<object, Map<Complete, unknown>>()

/**
 * Says of a value that it is plain data that nobody changes any more: what is selected of it is answered once, and given
 * out again, frozen, as long as the value lives. What is new needs a value of its own.
 */
export function unchanging<Value extends object>(value: Value): Value {
  if (!answersOf.has(value)) answersOf.set(value, new Map())
  return value
}

/**
 * Whether what is selected of objects of a type follows from the objects alone: no field has a resolver or arguments.
 * @param sets merged
 */
export function isPlainSelection(source: Source, type: GraphQLObjectType, sets: readonly SelectionSetNode[]): boolean {
  for (const nodes of collectFields(source, type, sets).values()) {
    const name = nodes[0]?.name.value ?? ''
    const definition = type.getFields()[name]
    if (!definition) continue
    if (definition.args.length > 0 || (definition.resolve && definition.resolve !== defaultFieldResolver)) return false
    const named = getNamedType(definition.type)
    if (isLeafType(named)) continue
    const below = nodes.flatMap(({ selectionSet }) => selectionSet ?? [])
    if (!isObjectType(named) || named.isTypeOf || !isPlainSelection(source, named, below)) return false
  }
  return true
}

/**
 * Keeps the answers that are made of unchanging values; of every other value an answer is made anew.
 * @param make what makes the answer of one selection
 * @param isPlain as `isPlainSelection`; asked when the first unchanging value comes
 */
export function keepingAnswers(make: Complete, isPlain: () => boolean): Complete {
  let keeps: boolean | undefined
  return (run, value, place) => {
    const known = answersOf.get(value as object)
    // Large answers are made step by step, so that others are not held up: those are the steps of `fieldResolver`.
    if (!known || run.fieldResolver || !(keeps ??= isPlain())) return make(run, value, place)
    const found = known.get(make)
    if (found !== undefined) return found
    const errorsBefore = run.errors.length
    const answer = make(run, value, place)
    if (isPromise(answer) || run.errors.length > errorsBefore) return answer
    const [oldest] = known.keys()
    if (known.size >= KEPT_MAX && oldest) known.delete(oldest)
    known.set(make, freeze(answer))
    return answer
  }
}

function freeze(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.values(Object.freeze(value)).forEach(freeze)
  return value
}
