import {
  defaultFieldResolver,
  getNullableType,
  isLeafType,
  isNonNullType,
  type FieldNode,
  type GraphQLField,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type SelectionSetNode,
} from 'graphql'
import { argumentsOf } from './read-arguments.js'
import { collectFields } from './collect-fields.js'
import { completeLeaf, completerOf, type Complete } from './complete-value.js'
import { isPromise } from '../promise-or-value.js'
import { failed, infoOf, type Place, type Run, type SelectedField, type Source } from './execution.js'
import { isPlainSelection, keepingAnswers } from './keep-answers.js'

/** Answers one field of an object: its value, or a promise of it. Throws where it failed and may not be null. */
type AnswerField = (run: Run, object: unknown, place: Place) => unknown

/** The fields that are selected of objects of one type. */
export interface Selection {
  fields: readonly { key: string; answer: AnswerField }[]
  /** An answer with all keys in their order: a copy of it has its final form from the beginning. */
  empty: Readonly<Record<string, null>>
}

/**
 * What is selected of objects of a type.
 * @param sets merged
 */
export function selectFields(source: Source, type: GraphQLObjectType, sets: readonly SelectionSetNode[]): Selection {
  const fields = [...collectFields(source, type, sets)].flatMap(([key, nodes]) => {
    const answer = fieldAnswer(source, type, key, nodes)
    return answer ? [{ key, answer }] : []
  })
  return { fields, empty: Object.fromEntries(fields.map(({ key }) => [key, null])) }
}

/** Undefined for a field that the type does not have: it is left out. */
function fieldAnswer(
  source: Source,
  parentType: GraphQLObjectType,
  key: string,
  nodes: readonly FieldNode[],
): AnswerField | undefined {
  const name = nodes[0]?.name.value ?? ''
  if (name === '__typename') return () => parentType.name
  const definition = parentType.getFields()[name]
  if (!definition) return undefined
  const field = { key, name, nodes, parentType, returnType: definition.type }
  const type = getNullableType(definition.type)
  const isPlain = !definition.resolve || definition.resolve === defaultFieldResolver
  return isPlain && isLeafType(type) && definition.args.length === 0
    ? leafAnswer(field, type, () => generalAnswer(source, field, definition))
    : generalAnswer(source, field, definition).answer
}

/** How a field is answered whatever its resolver is, and how what a resolver gave is. */
interface GeneralAnswer {
  answer: AnswerField
  finish: Finish
}

/**
 * A value that is read off its object; most fields are such, and need neither arguments nor a place.
 * @param makeGeneral for values that are none, e.g. promises; made when the first comes, as few ever do
 */
function leafAnswer(
  { key, name, nodes, parentType, returnType }: SelectedField,
  type: GraphQLLeafType,
  makeGeneral: () => GeneralAnswer,
): AnswerField {
  const isNonNull = isNonNullType(returnType)
  let made: GeneralAnswer | undefined
  const general = (): GeneralAnswer => (made ??= makeGeneral())
  return (run, object, prev) => {
    if (run.fieldResolver || typeof object !== 'object' || object === null) return general().answer(run, object, prev)
    try {
      const value = (object as Record<string, unknown>)[name]
      if (typeof value === 'function') return general().answer(run, object, prev)
      if (!isNonNull && (value === null || value === undefined)) return null
      if (value === null || value === undefined || isPromise(value) || value instanceof Error)
        return general().finish(run, value, { prev, key, typename: parentType.name })
      return completeLeaf(type, value)
    } catch (raw) {
      return failed(run, raw, { nodes, isNonNull, place: { prev, key, typename: parentType.name } })
    }
  }
}

function generalAnswer(
  source: Source,
  field: SelectedField,
  definition: GraphQLField<unknown, unknown>,
): GeneralAnswer {
  const { key, nodes, parentType, returnType } = field
  const finish = finisherOf(source, field)
  const isNonNull = isNonNullType(returnType)
  const readArguments = argumentsOf(definition, nodes[0] as FieldNode)
  const answer: AnswerField = (run, object, prev) => {
    const place = { prev, key, typename: parentType.name }
    try {
      const resolve = definition.resolve ?? run.fieldResolver ?? defaultFieldResolver
      return finish(
        run,
        resolve(object, readArguments(run.variables), run.contextValue, infoOf(source, run, field, place)),
        place,
      )
    } catch (raw) {
      return failed(run, raw, { nodes, isNonNull, place })
    }
  }
  return { answer, finish }
}

/** Completes what a resolver gave, or will give; throws what is wrong with it, and rejects only where it may not be null. */
type Finish = (run: Run, value: unknown, place: NonNullable<Place>) => unknown

function finisherOf(source: Source, field: SelectedField): Finish {
  const { nodes, parentType, returnType } = field
  const isNonNull = isNonNullType(returnType)
  const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? [])
  const isOfRoot = parentType === source.schema.getQueryType()
  const complete = completerOf(source, field, returnType, (type) => {
    let made: Selection | undefined
    const answer: Complete = (run, object, place) =>
      answerSelection(run, (made ??= selectFields(source, type, sets)), object, place)
    return isOfRoot ? keepingAnswers(answer, () => isPlainSelection(source, type, sets)) : answer
  })
  return (run, value, place) => {
    const completed = isPromise(value)
      ? value.then((resolved) => complete(run, resolved, place))
      : complete(run, value, place)
    return isPromise(completed)
      ? completed.then(undefined, (raw: unknown) => failed(run, raw, { nodes, isNonNull, place }))
      : completed
  }
}

/**
 * Answers all fields of an object at once; a promise where one is.
 * @throws GraphQLError where a field failed that may not be null, after the others have ended
 */
export function answerSelection(run: Run, { fields, empty }: Selection, object: unknown, place: Place): unknown {
  const answers: Record<string, unknown> = { ...empty }
  let isWaiting = false
  try {
    for (const { key, answer } of fields) {
      const value = answer(run, object, place)
      answers[key] = value
      if (isPromise(value)) isWaiting = true
    }
  } catch (error) {
    if (!isWaiting) throw error
    return allOf(answers).finally(() => {
      throw error
    })
  }
  return isWaiting ? allOf(answers) : answers
}

async function allOf(answers: Record<string, unknown>): Promise<Record<string, unknown>> {
  const values = await Promise.all(Object.values(answers))
  Object.keys(answers).forEach((key, index) => {
    answers[key] = values[index]
  })
  return answers
}
