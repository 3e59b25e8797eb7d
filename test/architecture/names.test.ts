import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  Kind,
  parse,
  type GraphQLNamedType,
} from 'graphql'
import { describe, expect, it } from 'vitest'
import { ERRORS } from '../../kernel/errors.js'
import { projectRoot } from '../../kernel/root.js'
import { errorsOf, operationNames } from '../../rest-compat/route.js'
import { ROUTES } from '../../rest-compat/routes.js'
import { loadApiSchema } from '../harness/api-schema.js'

const folder = join(projectRoot, 'rest-compat', 'operations')
const documents = readdirSync(folder)
  .filter((file) => file.endsWith('.graphql'))
  .map((file) => ({ name: file.slice(0, -'.graphql'.length), source: readFileSync(join(folder, file), 'utf8') }))
const kebab = (name: string) => name.replace(/(?<!^)[A-Z]/g, (capital) => `-${capital}`).toLowerCase()
const schema = loadApiSchema()
const types = Object.values(schema.getTypeMap()).filter((type) => !isIntrospectionType(type))

describe('an operation', () => {
  it.each(documents)('$name is named as its file, and is one operation', ({ name, source }) => {
    const { definitions } = parse(source)
    expect(
      definitions.map((node) => (node.kind === 'OperationDefinition' ? kebab(node.name?.value ?? '') : node.kind)),
    ).toEqual([name])
  })

  it('of every route is there, and every document is of a route', () => {
    expect([...new Set(ROUTES.flatMap(operationNames))].toSorted()).toEqual(
      documents.map(({ name }) => name).toSorted(),
    )
  })
})

describe('the schema that clients see', () => {
  it('has no name of REST: nothing is in snake case', () => {
    const names = types.flatMap((type) => [
      type.name,
      ...('getFields' in type ? Object.values(type.getFields()).flatMap(namesIn) : []),
    ])
    expect(names.filter((name) => name.includes('_'))).toEqual([])
  })

  it('describes every type, field, argument and value', () => {
    const bare = types.flatMap((type) => [
      ...(type.description || BUILT_IN.has(type.name) ? [] : [type.name]),
      ...partsOf(type)
        .filter(({ description }) => !description)
        .map(({ name }) => `${type.name}.${name}`),
    ])
    expect(bare).toEqual([])
  })

  it('writes enums in capitals', () => {
    const values = types.filter(isEnumType).flatMap((type) => type.getValues().map(({ name }) => name))
    expect(values.filter((name) => name !== name.toUpperCase())).toEqual([])
  })

  it('has binary floats for durations alone: amounts and percentages are decimals', () => {
    const floats = types.flatMap((type) =>
      partsOf(type)
        .filter((part) => 'type' in part && getNamedType(part.type).name === 'Float')
        .map(({ name }) => `${type.name}.${name}`),
    )
    expect(floats).toEqual(['PaymentSummary.medianSettleSeconds', 'PaymentSummary.slowSettleSeconds'])
  })

  it('has no type that clients cannot reach: what subgraphs read of each other is hidden with its types', () => {
    const reached = new Set<GraphQLNamedType>()
    const reach = (type: GraphQLNamedType): void => {
      if (reached.has(type)) return
      reached.add(type)
      if (isAbstractType(type)) schema.getPossibleTypes(type).forEach(reach)
      for (const part of partsOf(type)) if ('type' in part) reach(getNamedType(part.type))
    }
    for (const root of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()])
      if (root) reach(root)
    expect(reached.size).toBeGreaterThan(100)
    expect(types.filter((type) => !reached.has(type) && !BUILT_IN.has(type.name)).map(({ name }) => name)).toEqual([])
  })

  it('shows no operation of subgraphs among themselves', () => {
    const roots = [schema.getQueryType(), schema.getMutationType()].flatMap((root) =>
      Object.keys(root?.getFields() ?? {}),
    )
    const folder = join(projectRoot, 'schema', 'subgraphs')
    const hidden = readdirSync(folder)
      .flatMap((file) => parse(readFileSync(join(folder, file), 'utf8')).definitions)
      .filter((node) => node.kind === Kind.OBJECT_TYPE_DEFINITION)
      .filter(({ name }) => ['Query', 'Mutation'].includes(name.value))
      .flatMap(({ fields = [] }) => fields)
      .filter(({ directives }) => directives?.some(({ name }) => name.value === 'inaccessible'))
    expect(hidden.length).toBeGreaterThan(5)
    expect(hidden.map(({ name }) => name.value).filter((name) => roots.includes(name))).toEqual([])
  })
})

describe('an error that a route lists', () => {
  it('has a status and a sentence', () => {
    for (const code of new Set(ROUTES.flatMap(errorsOf))) {
      expect([code, ERRORS[code].http >= 400, ERRORS[code].message.endsWith('.')]).toEqual([code, true, true])
    }
  })
})

describe('a committed file', () => {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: projectRoot, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && existsSync(join(projectRoot, file)))
  const textOf = (file: string) => readFileSync(join(projectRoot, file), 'latin1')

  it('names no folder of a developer’s machine', () => {
    const machine = /(?<![\w.:/])\/(?:home\/\w|Users\/\w|root\/|work\/|opt\/\w)/
    const named = files.filter((file) => !file.startsWith('test/architecture/') && machine.test(textOf(file)))
    expect(named).toEqual([])
  })

  it('names no package registry: the lockfile holds hashes and no hosts', () => {
    const lock = textOf('package-lock.json')
    expect(lock).not.toMatch(/"resolved": "(?:https?:)?\/\//)
    expect(lock).toMatch(/"integrity": "sha512-/)
    const registry = /registry\.(?:npmjs\.org|yarnpkg\.com)|npm\.pkg\.github\.com/
    expect(files.filter((file) => !file.startsWith('test/architecture/') && registry.test(textOf(file)))).toEqual([])
  })
})

/** GraphQL's own. */
const BUILT_IN = new Set(['String', 'Int', 'Float', 'Boolean', 'ID'])

/** A type's fields with their arguments, or its values. */
function partsOf(type: GraphQLNamedType) {
  if (isEnumType(type)) return type.getValues()
  if (isInputObjectType(type)) return Object.values(type.getFields())
  if (!isObjectType(type) && !isInterfaceType(type)) return []
  return Object.values(type.getFields()).flatMap((field) => [field, ...field.args])
}

function namesIn(field: { name: string; args?: readonly { name: string }[] }): string[] {
  return [field.name, ...(field.args ?? []).map(({ name }) => name)]
}
