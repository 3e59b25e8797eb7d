import { getNullableType, GraphQLInputObjectType } from 'graphql'
import type { FieldFailure } from '../kernel/errors.js'
import type { Failure } from './envelope.js'
import type { RestOperation } from './operation.js'
import { restPath, snakeCase } from './read-input.js'
import type { Route } from './route.js'

/** Fields that another name stands for where they are not there themselves: name → the name that was sent. */
export type SentNames = Readonly<Record<string, string>>

/** A body with its fields under their own names, the other ones beside them; null counts as absent. */
export function renamed(given: Readonly<Record<string, unknown>>, aliases: Route['aliases']): Record<string, unknown> {
  const named = { ...given }
  for (const [alias, name] of Object.entries(aliases ?? {})) named[name] ??= given[alias]
  return named
}

/** By which names a body has its fields, where that is not their own. */
export function sentNames(given: Readonly<Record<string, unknown>>, aliases: Route['aliases']): SentNames {
  const sent: Record<string, string> = {}
  for (const [alias, name] of Object.entries(aliases ?? {})) {
    if (given[name] == null && given[alias] != null) sent[name] ??= alias
  }
  return sent
}

/**
 * Other names of a field that say something else than it: nobody can tell which of them is meant. Those that the operation reads itself
 * are compared there, by what they mean.
 */
export function contradictions(
  given: Readonly<Record<string, unknown>>,
  { aliases, comparesAliases }: Pick<Route, 'aliases' | 'comparesAliases'>,
  operation: RestOperation,
): FieldFailure[] {
  if (comparesAliases !== true) return []
  const named = renamed(given, aliases)
  const sent = sentNames(given, aliases)
  return Object.entries(aliases ?? {})
    .filter(([alias, name]) => isThere(given[alias]) && given[alias] !== named[name] && !isRead(operation, alias))
    .map(([field, name]) => ({ field, message: `must be the same as ${sent[name] ?? name}` }))
}

function isThere(value: unknown): boolean {
  return value != null && value !== ''
}

function isRead({ variables }: RestOperation, name: string): boolean {
  const input = variables.find((variable) => variable.name === 'input')
  const type = input && getNullableType(input.type)
  return type instanceof GraphQLInputObjectType && Object.keys(type.getFields()).some((key) => snakeCase(key) === name)
}

/** Failures with their fields named as the body does. */
export function failuresInSentNames(failures: readonly FieldFailure[], sent: SentNames): FieldFailure[] {
  return failures.map(({ field, message }) => ({ field: sent[restPath(field)] ?? field, message }))
}

/** The same for a failure of the whole, whose sentence may begin with a field. */
export function inSentNames(failure: Failure, sent: SentNames): Failure {
  const [first] = failure.errors ?? []
  if (!first) return failure
  const { message, errors = [] } = failure
  const told = failuresInSentNames(errors, sent)
  const isNamed = message.startsWith(`${first.field}: `)
  return { ...failure, message: isNamed ? `${told[0]?.field ?? ''}: ${first.message}` : message, errors: told }
}
