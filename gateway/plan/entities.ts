import type { Schema } from '@apollo/federation-internals'
import type { QueryPlanSelectionNode } from '@apollo/query-planner'
import { isObject } from '../../kernel/json.js'
import { own } from './shape-answer.js'

export type Path = readonly (string | number)[]
export type Values = Record<string, unknown>

/** The names of the types that each interface and union has, in the whole supergraph. */
export type MemberTypes = ReadonlyMap<string, ReadonlySet<string>>

/** The member types of a supergraph, hidden ones and all. */
export function memberTypesOf(schema: Schema): MemberTypes {
  const interfaces = [...schema.interfaceTypes()].map((type) => [type, type.allImplementations()] as const)
  const unions = [...schema.unionTypes()].map((type) => [type, type.types()] as const)
  return new Map(
    [...interfaces, ...unions].map(([{ name }, members]) => [name, new Set(members.map(({ name }) => name))]),
  )
}

/** What of an object a subgraph needs to know to find it; null where not all of it is there. */
export function representationOf(
  members: MemberTypes,
  source: Values,
  selections: readonly QueryPlanSelectionNode[],
): Values | null {
  const result: Values = {}
  for (const selection of selections) {
    if (selection.kind === 'InlineFragment') {
      const { typeCondition } = selection
      if (typeCondition === undefined || !isObjectOf(members, source, typeCondition)) continue
      merge(result, representationOf(members, source, selection.selections))
      continue
    }
    const key = selection.alias ?? selection.name
    const value = own(source, key)
    if (value === undefined) return null
    result[key] = selection.selections ? partOf(members, value, selection.selections) : value
  }
  return result
}

function partOf(members: MemberTypes, value: unknown, selections: readonly QueryPlanSelectionNode[]): unknown {
  if (Array.isArray(value)) return value.map((one) => partOf(members, one, selections))
  return value === null ? null : representationOf(members, value as Values, selections)
}

function isObjectOf(members: MemberTypes, { __typename: name }: Values, condition: string): boolean {
  if (typeof name !== 'string') return false
  return name === condition || members.get(condition)?.has(name) === true
}

/** Puts what a subgraph has answered about an object beside what is known of it. */
export function merge(target: Values, source: Values | null | undefined): void {
  // What GraphQL makes has no prototype or a plain one: every name that is found is its own.
  for (const key in source) {
    const value = source[key]
    if (value === undefined) continue
    const known = own(target, key)
    if (known && isObject(value)) merge(known as Values, value)
    else if (Array.isArray(value) && Array.isArray(known) && value.length === known.length) mergeItems(known, value)
    else target[key] = value
  }
}

function mergeItems(known: unknown[], items: readonly unknown[]): void {
  for (const [index, item] of items.entries()) {
    const there = known[index]
    if (isObject(there) && isObject(item)) merge(there, item)
    else known[index] = item
  }
}

/** All that is at a path from its step `from` on, lists on the way laid flat (`@`). */
export function flatten(value: unknown, path: Path, from = 0): unknown {
  const head = path[from]
  if (head === undefined || value === undefined || value === null) return value
  if (head === '@') return (value as unknown[]).flatMap((item) => flatten(item, path, from + 1))
  return flatten(own(value, String(head)), path, from + 1)
}

/** Where in the answer each of what `flatten` gives is, null and all. */
export function placesAt(value: unknown, path: Path, parent: Path = []): Path[] {
  const [head, ...rest] = path
  if (value === undefined || value === null) return []
  if (head === undefined) return [parent]
  if (Array.isArray(value)) {
    const below = head === '@' ? rest : path
    return value.flatMap((item, index) => placesAt(item, below, [...parent, index]))
  }
  return placesAt(own(value, String(head)), rest, [...parent, head])
}
