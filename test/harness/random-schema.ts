import { buildSchema, GraphQLScalarType, isEnumType, isObjectType, isUnionType, type GraphQLSchema } from 'graphql'
import { between, pick } from '../../chaos/random.js'
import { resolveByWorld } from './random-world.js'

type Random = () => number

const OBJECTS = ['A', 'B', 'C', 'D']
const LEAVES = ['Int', 'String', 'Boolean', 'ID', 'Float', 'Odd', 'Colour']

/**
 * Draws a schema of objects, an interface, a union, an enum whose values differ from their names, and a scalar that refuses
 * some values. Which types tell what they are, and how, is drawn too.
 */
export function randomSchema(random: Random): GraphQLSchema {
  const object = (name: string): string =>
    `type ${name} implements Named { label: String! near: Named ${fields(random).join(' ')} }`
  const root = (name: string): string =>
    `type ${name} { one: A! many: [Named] any: [Any!] ${fields(random).join(' ')} }`
  const schema = buildSchema(`
    scalar Odd
    enum Colour { RED GREEN }
    interface Named { label: String! near: Named }
    union Any = ${OBJECTS.join(' | ')}
    ${OBJECTS.map(object).join('\n')}
    ${root('Query')}
    ${root('Mutation')}`)
  const isRoot = (name: string): boolean => name === 'Query' || name === 'Mutation'
  const resolved = new Set(OBJECTS.map((name) => `${name}.${pick(random, ['label', 'near', 'f0', 'f1', 'f2'])}`))
  resolveByWorld(schema, ({ name }, field) => isRoot(name) || resolved.has(`${name}.${field}`))
  for (const type of Object.values(schema.getTypeMap())) tellTypes(type, random)
  return schema
}

/** Fields of all kinds, with arguments and without. */
function fields(random: Random): string[] {
  return Array.from({ length: between(random, 3, 6) }, (_, index) => {
    const named = pick(random, [...LEAVES, ...LEAVES, ...OBJECTS, 'Named', 'Any'])
    const args = pick(random, ['', '', '(n: Int = 3, colour: Colour)', '(text: String!)', '(list: [Int!])'])
    return `f${index}${args}: ${wrapped(random, named)}`
  })
}

function wrapped(random: Random, type: string): string {
  return pick(random, [type, type, `${type}!`, `[${type}]`, `[${type}!]`, `[${type}!]!`, `[[${type}]!]`])
}

function tellTypes(type: unknown, random: Random): void {
  if (isEnumType(type) && type.name === 'Colour') for (const value of type.getValues()) value.value = value.name.length
  if (type instanceof GraphQLScalarType && type.name === 'Odd') type.serialize = serializeOdd
  const how = pick(random, ['not', 'at once', 'later'])
  if (how === 'not') return
  const told = <Answer>(answer: Answer): Answer | Promise<Answer> =>
    how === 'later' ? Promise.resolve(answer) : answer
  if (isUnionType(type)) type.resolveType = (value) => told((value as { __typename: string }).__typename)
  if (!isObjectType(type) || !OBJECTS.includes(type.name)) return
  type.isTypeOf = (value) => told((value as { __typename?: string }).__typename !== 'Nobody')
}

function serializeOdd(value: unknown): unknown {
  if (value === 'refused') throw new TypeError('an odd value was refused')
  return value === 'nothing' ? undefined : value
}
