import { getNamedType, isInputObjectType, type GraphQLInputType } from 'graphql'
import { expect, it } from 'vitest'
import { subjectsOf } from '../../kernel/audit.js'
import { loadApiSchema } from '../harness/api-schema.js'

const ID = 'c0000000000000000000000001'

interface Given {
  /** The value of an argument, with an id wherever one is declared. */
  value: unknown
  /** Where the ids are. */
  paths: string[]
}

function given(type: GraphQLInputType, path: string): Given {
  const named = getNamedType(type)
  if (named.name === 'ID') return { value: ID, paths: [path] }
  if (!isInputObjectType(named)) return { value: 'something else', paths: [] }
  const fields = Object.values(named.getFields()).map((field) => ({
    name: field.name,
    ...given(field.type, `${path}.${field.name}`),
  }))
  return {
    value: Object.fromEntries(fields.map(({ name, value }) => [name, value])),
    paths: fields.flatMap(({ paths }) => paths),
  }
}

it('every id that a mutation is given is in the audit log, and nothing else of it', () => {
  const mutations = Object.values(loadApiSchema().getMutationType()?.getFields() ?? {})
  expect(mutations.flatMap(({ args }) => args).length).toBeGreaterThan(20)
  for (const { name: mutation, args } of mutations) {
    const all = args.map(({ name, type }) => ({ name, ...given(type, name) }))
    const subjects = subjectsOf(Object.fromEntries(all.map(({ name, value }) => [name, value])))
    const expected = Object.fromEntries(all.flatMap(({ paths }) => paths).map((path) => [path, ID]))
    expect({ mutation, subjects }).toEqual({ mutation, subjects: expected })
  }
})
