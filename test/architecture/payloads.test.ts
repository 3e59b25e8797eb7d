import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getNamedType, isEnumType, isNonNullType, isObjectType, Kind, parse, type FieldDefinitionNode } from 'graphql'
import { describe, expect, it } from 'vitest'
import { ERRORS } from '../../kernel/errors.js'
import { projectRoot } from '../../kernel/root.js'
import { loadApiSchema } from '../harness/api-schema.js'

const api = loadApiSchema()

describe('a mutation', () => {
  const mutations = Object.values(api.getMutationType()?.getFields() ?? {})

  it.each(mutations.map(({ name, type }) => ({ name, type })))(
    '$name answers a payload of its own, so that its failure takes nothing else',
    ({ name, type }) => {
      const payload = getNamedType(type)
      if (!isObjectType(payload)) throw new Error(`${name} answers no payload`)
      expect(isNonNullType(type)).toBe(false)
      expect(payload.name).toBe(`${name.charAt(0).toUpperCase()}${name.slice(1)}Payload`)
      const [thing, errors, ...more] = Object.values(payload.getFields())
      expect(more).toEqual([])
      expect(isNonNullType(thing?.type)).toBe(false)
      expect([errors?.name, String(errors?.type)]).toEqual(['errors', '[MutationError!]!'])
    },
  )

  it('has errors whose codes are of the table of errors', () => {
    const codes = api.getType('ErrorCode')
    if (!isEnumType(codes)) throw new Error('there is no enum of codes')
    const names = codes.getValues().map(({ name }) => name.toLowerCase())
    expect(names.length).toBeGreaterThan(50)
    expect(names.filter((name) => !Object.hasOwn(ERRORS, name))).toEqual([])
  })

  it('says what is not there: of paths, as its code does elsewhere, no graph speaks', () => {
    const codes = api.getType('ErrorCode')
    if (!isEnumType(codes)) throw new Error('there is no enum of codes')
    expect(codes.getValue('NOT_FOUND')?.description).not.toContain('path')
    const folder = join(projectRoot, 'subgraphs')
    const silent = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(
        (path) => path.endsWith('.ts') && readFileSync(join(folder, path), 'utf8').includes("AppError('not_found')"),
      )
      .map((path) => path.replaceAll('\\', '/'))
    // A provider's callback comes by a path.
    expect(silent).toEqual(['payments/domain/charges/receive-callback.ts'])
  })
})

describe('an entity', () => {
  /** The subgraph that an entity belongs to; others add fields to it. */
  const OWNERS: Readonly<Record<string, string>> = {
    KycRecord: 'KYC',
    Order: 'ORDERS',
    Payment: 'PAYMENTS',
    PaymentSubscription: 'PAYMENTS',
    Refund: 'PAYMENTS',
  }
  /** Those that others add fields to, beside their key. */
  const EXTENDED = ['Order', 'Payment']
  const supergraph = parse(readFileSync(join(projectRoot, 'schema', 'supergraph.graphql'), 'utf8'))
  const entities = supergraph.definitions
    .filter((node) => node.kind === Kind.OBJECT_TYPE_DEFINITION)
    .filter(({ directives }) => directives?.some((directive) => argumentOf(directive, 'key') !== undefined))

  it('has an owner', () => {
    expect(entities.map(({ name }) => name.value).toSorted()).toEqual(Object.keys(OWNERS).toSorted())
  })

  it.each(entities.map(({ name, fields }) => ({ name: name.value, fields: fields ?? [] })))(
    '$name stays where a subgraph is away that adds fields to it: they are nullable',
    ({ name, fields }) => {
      const added = fields.filter((field) => {
        const graphs = graphsOf(field)
        return graphs.length > 0 && !graphs.includes(OWNERS[name] ?? '')
      })
      expect(added.length > 0).toBe(EXTENDED.includes(name))
      expect(added.filter(({ type }) => type.kind === Kind.NON_NULL_TYPE).map((field) => field.name.value)).toEqual([])
    },
  )
})

type Directive = NonNullable<FieldDefinitionNode['directives']>[number]

/** An argument of a directive as text; undefined where it has none of that name. */
function argumentOf({ arguments: given }: Directive, name: string): string | undefined {
  const value = given?.find((argument) => argument.name.value === name)?.value
  return value?.kind === Kind.STRING || value?.kind === Kind.ENUM ? value.value : undefined
}

/** The subgraphs that answer a field; none where all of its type's do. */
function graphsOf({ directives = [] }: FieldDefinitionNode): (string | undefined)[] {
  const joins = directives.filter(({ name }) => name.value === 'join__field')
  return joins.map((directive) => argumentOf(directive, 'graph'))
}
