import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  OperationTypeNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
} from 'graphql'
import type { PreparedOperation } from '../gateway/operation.js'
import { restNumberOf, textFor, type NumberScalar } from './rest-numbers.js'

/** A place whose values are another thing in REST than in the graph; lists on the way to it, and at its end, are passed through. */
export interface OtherValue {
  path: readonly string[]
  /** What stands there instead. Null and what is absent stay. */
  change: (value: unknown) => unknown
}

/** What REST shows otherwise of an operation's answer, by paths of result names from `data` on: enums in lower case, and numbers. */
export function otherAnswers(schema: GraphQLSchema, { document, kind }: PreparedOperation): OtherValue[] {
  const types = new TypeInfo(schema)
  const path: string[] = []
  const found: OtherValue[] = []
  visit(
    document,
    visitWithTypeInfo(types, {
      Field: {
        enter(node) {
          path.push(node.alias?.value ?? node.name.value)
          const type = types.getType()
          const number = restNumberOf(types.getParentType()?.name ?? '', node.name.value)
          if (type && isEnumType(getNamedType(type))) found.push({ path: [...path], change: lowered })
          else if (number) found.push({ path: [...path], change: numbered(number.scalar) })
        },
        leave() {
          path.pop()
        },
      },
    }),
  )
  // A mutation's answer is within its payload, whose errors are never shown as they are.
  return kind === OperationTypeNode.MUTATION
    ? found
        .filter(({ path: [, name] }) => name === 'data')
        .map(({ path: [, ...fromData], change }) => ({ path: fromData, change }))
    : found
}

function lowered(word: unknown): string {
  return String(word).toLowerCase()
}

/** A place that two shapes of a union have is come to twice. */
function numbered(scalar: NumberScalar): (value: unknown) => unknown {
  return (value) => (typeof value === 'string' ? scalar.serialize(value) : value)
}

/** What the graph takes otherwise of an operation's variables, by paths from their names on: numbers. */
export function otherInputs(variables: readonly { name: string; type: GraphQLInputType }[]): OtherValue[] {
  return variables.flatMap(({ name, type }) => otherFields([name], type, []))
}

function otherFields(
  path: readonly string[],
  given: GraphQLInputType,
  around: readonly GraphQLInputObjectType[],
): OtherValue[] {
  const type = getNamedType(given)
  if (!isInputObjectType(type) || around.includes(type)) return []
  return Object.values(type.getFields()).flatMap((field) => {
    const own = [...path, field.name]
    const number = restNumberOf(type.name, field.name)
    if (number) return [{ path: own, change: (sent: unknown) => textFor(number, sent) }]
    return otherFields(own, field.type, [...around, type])
  })
}

/** Puts the other values in their places. Changes `parent` in place. */
export function changeValues(parent: unknown, others: readonly OtherValue[]): void {
  for (const other of others) changeAt(parent, other, 0)
}

function changeAt(parent: unknown, other: OtherValue, depth: number): void {
  if (Array.isArray(parent)) {
    for (const item of parent) changeAt(item, other, depth)
    return
  }
  const { path, change } = other
  const name = path[depth]
  if (typeof parent !== 'object' || parent === null || name === undefined) return
  const holder = parent as Record<string, unknown>
  const value = holder[name]
  if (depth < path.length - 1) changeAt(value, other, depth + 1)
  else if (Array.isArray(value)) holder[name] = value.map(change)
  else if (value !== null && value !== undefined) holder[name] = change(value)
}
