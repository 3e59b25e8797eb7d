import { chance, pick } from '../../chaos/random.js'
import {
  getNamedType,
  getNullableType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isUnionType,
  parse,
  specifiedRules,
  validate,
  type GraphQLArgument,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
  type OperationTypeNode,
} from 'graphql'

/** A number from 0 to 1, without 1. */
export type Random = () => number

/** A valid operation, and its variables. */
export interface RandomOperation {
  source: string
  variables: Record<string, unknown>
}

/** What operations are drawn from. */
export interface OperationSource {
  schema: GraphQLSchema
  kind: OperationTypeNode
  /** The fields of the root that are asked for. */
  roots: readonly string[]
  /** What scalars are given as, by their type; `null` stands for none. */
  values: Readonly<Record<string, readonly unknown[]>>
}

/** How deep operations go, and how many fields they have at most. */
const DEPTH_MAX = 5
const FIELDS_MAX = 60

/** What one operation is being drawn with. */
interface Drawing extends OperationSource {
  random: Random
  fieldsLeft: number
  aliases: number
  declared: string[]
  variables: Record<string, unknown>
  fragments: string[]
}

/** Draws an operation: aliases, fragments, directives, variables and literals, values that fit and some that do not. */
export function randomOperation(source: OperationSource, random: Random): RandomOperation {
  const { schema, kind } = source
  for (;;) {
    const drawing: Drawing = {
      ...source,
      random,
      fieldsLeft: FIELDS_MAX,
      aliases: 0,
      declared: [],
      variables: {},
      fragments: [],
    }
    const root = schema.getRootType(kind)
    if (!root) throw new Error(`the schema has no ${kind}`)
    const fields = times(drawing, 1, 3, () => rootField(drawing, root)).join(' ')
    const head = drawing.declared.length > 0 ? `(${drawing.declared.join(', ')})` : ''
    const text = [`${kind} ${head} { ${fields} }`, ...drawing.fragments].join('\n')
    // The same name may have been drawn twice, with other arguments. Three of four are such: the first error is enough.
    const errors = validate(schema, parse(text), specifiedRules, { maxErrors: 1 })
    if (errors.length === 0) return { source: text, variables: drawing.variables }
  }
}

function rootField(drawing: Drawing, root: GraphQLObjectType): string {
  const field = root.getFields()[pick(drawing.random, drawing.roots)]
  if (!field) throw new Error('a root is drawn from that the schema has not')
  return fieldText(drawing, field, DEPTH_MAX)
}

function fieldText(drawing: Drawing, field: GraphQLField<unknown, unknown>, depth: number): string {
  drawing.fieldsLeft -= 1
  const alias = chance(drawing.random, 0.2) ? `a${(drawing.aliases += 1)}: ` : ''
  const args = field.args.flatMap((argument) => argumentText(drawing, argument))
  const type = getNamedType(field.type)
  const selection = isCompositeType(type) ? ` ${selectionText(drawing, type, depth - 1)}` : ''
  return `${alias}${field.name}${args.length > 0 ? `(${args.join(', ')})` : ''}${directive(drawing)}${selection}`
}

function selectionText(drawing: Drawing, type: GraphQLCompositeType, depth: number): string {
  const parts = chance(drawing.random, 0.2) ? ['__typename'] : []
  if (isAbstractType(type)) {
    for (const possible of drawing.schema.getPossibleTypes(type)) {
      if (chance(drawing.random, 0.7)) parts.push(`... on ${possible.name} ${selectionText(drawing, possible, depth)}`)
    }
  }
  if (!isUnionType(type)) {
    const fields = Object.values(type.getFields()).filter(
      (field) => isLeafType(getNamedType(field.type)) || (depth > 0 && drawing.fieldsLeft > 0),
    )
    if (fields.length > 0) {
      parts.push(...times(drawing, 1, 4, () => fieldText(drawing, pick(drawing.random, fields), depth)))
      if (chance(drawing.random, 0.2))
        parts.push(fragmentText(drawing, type.name, fieldText(drawing, pick(drawing.random, fields), depth)))
    }
  }
  return `{ ${parts.join(' ') || '__typename'} }`
}

/** A part of a selection, in a fragment. */
function fragmentText(drawing: Drawing, type: string, inner: string): string {
  if (chance(drawing.random, 0.5)) return `... on ${type}${directive(drawing)} { ${inner} }`
  const name = `F${drawing.fragments.length + 1}`
  drawing.fragments.push(`fragment ${name} on ${type} { ${inner} }`)
  return `...${name}${directive(drawing)}`
}

function directive(drawing: Drawing): string {
  if (!chance(drawing.random, 0.1)) return ''
  const flag = chance(drawing.random, 0.5)
  const value = chance(drawing.random, 0.5) ? String(flag) : declare(drawing, 'Boolean!', flag)
  return ` @${pick(drawing.random, ['skip', 'include'])}(if: ${value})`
}

function argumentText(drawing: Drawing, { name, type, defaultValue }: GraphQLArgument): string[] {
  if ((!isNonNullType(type) || defaultValue !== undefined) && chance(drawing.random, 0.4)) return []
  const value = valueOf(drawing, type)
  const isPlain = isLeafType(type) || isLeafType(getNullableType(type) as never)
  const isLiteral =
    isPlain && typeof value !== 'object' && getNamedType(type).name !== 'ID' && chance(drawing.random, 0.4)
  if (!isLiteral) return [`${name}: ${declare(drawing, String(type), value)}`]
  return [`${name}: ${isEnumType(getNamedType(type)) ? String(value) : JSON.stringify(value)}`]
}

function declare(drawing: Drawing, type: string, value: unknown): string {
  const name = `v${drawing.declared.length + 1}`
  drawing.declared.push(`$${name}: ${type}`)
  // What is not sent is something else than null.
  if (value !== null || type.endsWith('!') || chance(drawing.random, 0.5)) drawing.variables[name] = value
  return `$${name}`
}

function valueOf(drawing: Drawing, type: GraphQLInputType): unknown {
  if (!isNonNullType(type) && chance(drawing.random, 0.15)) return null
  const bare = getNullableType(type)
  if (isListType(bare)) return times(drawing, 0, 2, () => valueOf(drawing, bare.ofType))
  if (isEnumType(bare)) return pick(drawing.random, bare.getValues()).name
  if (!isInputObjectType(bare)) return pick(drawing.random, drawing.values[bare.name] ?? ['text'])
  const fields = Object.values(bare.getFields()).filter(
    (field) => isNonNullType(field.type) || chance(drawing.random, 0.3),
  )
  return Object.fromEntries(fields.map((field) => [field.name, valueOf(drawing, field.type)]))
}

function times<T>({ random }: Drawing, least: number, most: number, draw: () => T): T[] {
  return Array.from({ length: least + Math.floor(random() * (most - least + 1)) }, draw)
}
