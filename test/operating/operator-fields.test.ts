import { isNonNullType, type GraphQLField } from 'graphql'
import { describe, expect, it } from 'vitest'
import { sampleValue } from '../../gateway/fixtures/sample-input.js'
import { prepareOperation } from '../../gateway/operation.js'
import type { RequestContext } from '../../kernel/subgraph.js'
import { loadApiSchema } from '../harness/api-schema.js'
import { contextOf, operatorContext, otherCallers } from '../harness/operator.js'
import { startSupergraphHarness } from '../harness/supergraph.js'

const api = loadApiSchema()
const harness = await startSupergraphHarness()

type Field = GraphQLField<unknown, unknown>

/** Every field of the API that its description calls an operator's. */
const fields = [api.getQueryType(), api.getMutationType()].flatMap((root) =>
  Object.values(root?.getFields() ?? {})
    .filter(({ description }) => description?.startsWith('For operators:'))
    .map((field) => ({ field, name: field.name, kind: root === api.getQueryType() ? 'query' : 'mutation' })),
)

/** The codes of the errors that an operation with all needed arguments has, its payload's too. */
async function codesOf(kind: string, field: Field, context: RequestContext): Promise<unknown[]> {
  const needed = field.args.filter(({ type }) => isNonNullType(type))
  const variables = Object.fromEntries(needed.map(({ name, type }) => [name, sampleValue(type)]))
  const declared = needed.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ')
  const given = needed.map(({ name }) => `${name}: $${name}`).join(', ')
  const head = declared === '' ? kind : `${kind} (${declared})`
  const selected = kind === 'mutation' ? '{ errors { code } }' : '{ __typename }'
  const call = `${field.name}${given === '' ? '' : `(${given})`}`
  const result = await harness.supergraph.execute(
    prepareOperation(`${head} { ${call} ${selected} }`),
    variables,
    context,
  )
  const payload = (result.data?.[field.name] ?? {}) as { errors?: { code: string }[] }
  return [
    ...(result.errors ?? []).map(({ extensions }) => extensions['code']),
    ...(payload.errors ?? []).map(({ code }) => code),
  ]
}

describe('what is for operators', () => {
  it('is in the schema, and described as theirs', () => {
    expect(fields.map(({ name }) => name)).toEqual(expect.arrayContaining(['alerts', 'closeAlert']))
  })

  it.each(fields)('$name is refused to every key and to everyone of a tenant', async ({ kind, field }) => {
    for (const caller of otherCallers(harness.context.caller.tenantId ?? '')) {
      const codes = await codesOf(kind, field, contextOf(caller))
      expect([caller.keyId, codes]).toEqual([caller.keyId, ['PERMISSION_DENIED']])
    }
  })

  it.each(fields)('$name is open to an operator through the composed graph', async ({ kind, field }) => {
    const codes = await codesOf(kind, field, operatorContext())
    expect(codes.filter((code) => code === 'PERMISSION_DENIED' || code === 'SERVER_ERROR')).toEqual([])
  })
})
