import type { Supergraph } from '@apollo/federation-internals'
import { Kind, parse, visit, type FieldNode } from 'graphql'
import type { PreparedOperation } from '../operation.js'

/** The fields that a planner asks for by itself: those of keys, and those that other fields require. */
export interface PlannersFields {
  names: ReadonlySet<string>
  /** Those among them that it asks for with arguments. */
  withArguments: ReadonlySet<string>
}

/** The fields that the planner asks for by itself in a supergraph. */
export function plannersFields(schema: Supergraph['schema']): PlannersFields {
  const names = new Set(['__typename'])
  const withArguments = new Set<string>()
  for (const fieldSet of fieldSetsOf(schema)) {
    visit(parse(fieldSet.trim().startsWith('{') ? fieldSet : `{${fieldSet}}`), {
      Field: ({ name: { value: name }, arguments: given = [] }) => {
        names.add(name)
        if (given.length > 0) withArguments.add(name)
      },
    })
  }
  return { names, withArguments }
}

function fieldSetsOf(schema: Supergraph['schema']): string[] {
  return [...schema.objectTypes(), ...schema.interfaceTypes()]
    .flatMap((type): readonly Applied[] => [type, ...type.fields()])
    .flatMap(({ appliedDirectives }) => appliedDirectives)
    .filter(({ name }) => name.startsWith('join__'))
    .flatMap((directive) => {
      const { key, requires } = directive.arguments()
      return [key, requires].filter((one) => typeof one === 'string')
    })
}

/** A type or a field, with its directives. */
interface Applied {
  appliedDirectives: readonly { name: string; arguments: () => Readonly<Record<string, unknown>> }[]
}

/** An operation as the planner is given it. */
export interface AskedOperation {
  operation: PreparedOperation
  /** What its client calls the fields that have other names here, by these. */
  clientNames: ReadonlyMap<string, string>
}

/**
 * An operation in which no field has the name of one that the planner asks for by itself, and is another. The planner would ask once for both:
 * what a client calls `id` would be taken for a key, and `comments(first: 1)` for the `comments(first: 3)` that a field requires.
 */
export function askedOperation(operation: PreparedOperation, fields: PlannersFields): AskedOperation {
  const clientNames = new Map<string, string>()
  const ours = new Map<string, string>()
  const isTaken = (name: string): boolean =>
    clientNames.has(name) || fields.names.has(name) || operation.source.includes(name)
  const document = visit(operation.document, {
    Field: (node) => {
      if (!isMistakable(node, fields)) return undefined
      // Fields that are one in the answer stay one, wherever they are selected.
      const [clientName, fieldName] = [nameInAnswer(node), node.name.value]
      const name = ours.get(`${clientName}:${fieldName}`) ?? freeName(fieldName, isTaken)
      ours.set(`${clientName}:${fieldName}`, name)
      clientNames.set(name, clientName)
      return { ...node, alias: { kind: Kind.NAME, value: name } }
    },
  })
  return { operation: clientNames.size > 0 ? { ...operation, document } : operation, clientNames }
}

function isMistakable(node: FieldNode, { names, withArguments }: PlannersFields): boolean {
  const name = nameInAnswer(node)
  if (!names.has(name)) return false
  return name !== node.name.value || (node.arguments ?? []).length > 0 || withArguments.has(name)
}

function nameInAnswer({ alias, name }: FieldNode): string {
  return (alias ?? name).value
}

function freeName(name: string, isTaken: (name: string) => boolean): string {
  for (let number = 1; ; number += 1) {
    const free = `${name}_${number}`
    if (!isTaken(free)) return free
  }
}
