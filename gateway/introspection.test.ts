import { OperationTypeNode, parse, validate } from 'graphql'
import { describe, expect, it } from 'vitest'
import { startSupergraphHarness } from '../test/harness/supergraph.js'
import { prepareOperation } from './operation.js'

const { supergraph, context } = await startSupergraphHarness()

async function ask(source: string, variables: Record<string, unknown> = {}): Promise<string> {
  const operation = prepareOperation(source)
  expect(validate(supergraph.apiSchema, operation.document)).toEqual([])
  const first = JSON.stringify(await supergraph.execute(operation, variables, context))
  expect(JSON.stringify(await supergraph.execute(operation, variables, context))).toBe(first)
  return first
}

const JSON_TYPE = '{"name":"JSON","isOneOf":null}'

describe('what the schema says of itself, beside data', () => {
  it.each([
    [
      'behind it',
      '{ products { kyc } __type(name: "JSON") { name isOneOf } }',
      `{"products":{"kyc":true},"__type":${JSON_TYPE}}`,
    ],
    [
      'before it, of several subgraphs, under other names',
      '{ id: __type(name: "JSON") { name isOneOf } products { kyc } of: orders(first: 1) { edges { node { id } } } root: __typename }',
      `{"id":${JSON_TYPE},"products":{"kyc":true},"of":{"edges":[]},"root":"Query"}`,
    ],
    [
      'in fragments',
      `{ ...Both ... { __typename } } fragment Both on Query { ...One products { kyc } }
        fragment One on Query { __schema { queryType { name isOneOf } } }`,
      '{"__schema":{"queryType":{"name":"Query","isOneOf":null}},"products":{"kyc":true},"__typename":"Query"}',
    ],
  ])('is answered %s', async (_where, source, data) => {
    expect(await ask(source)).toBe(`{"data":${data}}`)
  })

  it('takes no name of the answer to another operation of the document', async () => {
    const source =
      'query A { products { kyc } } query B { products: __schema { queryType { name } } orders(first: 1) { totalCount } }'
    const document = parse(source)
    const run = (operationName: string) =>
      supergraph.execute({ source, document, operationName, kind: OperationTypeNode.QUERY, hash: source }, {}, context)
    expect(await run('A')).toEqual({ data: { products: { kyc: true } } })
    expect((await run('B')).data).toEqual({ products: { queryType: { name: 'Query' } }, orders: { totalCount: 0 } })
  })

  it('is left out where its variable says so', async () => {
    const source =
      'query ($name: String!, $with: Boolean!) { products { kyc } __type(name: $name) @include(if: $with) { name isOneOf } }'
    expect(await ask(source, { name: 'JSON', with: false })).toBe('{"data":{"products":{"kyc":true}}}')
    expect(await ask(source, { name: 'JSON', with: true })).toContain(JSON_TYPE)
  })

  it('is not answered where a variable is missing, nor where what is beside it is refused', async () => {
    const source = 'query ($id: ID!) { payment(id: $id) { id } __type(name: "JSON") { name isOneOf } }'
    expect(await ask(source)).toMatch(/^\{"errors":\[\{.*BAD_USER_INPUT/)
    expect(await ask(source, { id: 'none' })).toMatch(/^\{"data":\{"payment":null,"__type":\{.*PAYMENT_NOT_FOUND/)
  })
})
