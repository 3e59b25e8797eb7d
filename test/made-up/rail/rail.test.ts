import 'reflect-metadata'
// First: what follows is read by the modules after it when they are loaded.
import './listed.js'
import { composeServices } from '@apollo/composition'
import federation from '@apollo/federation-internals'
import { isEnumType, parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { helpText, loadEnv } from '../../../app/env.js'
import { openApiDocument } from '../../../rest-compat/openapi.js'
import { loadOperations, wholeSchema } from '../../../rest-compat/operation.js'
import { pixInput } from '../../../subgraphs/payments/fixtures/pix-payments.js'
import { describeRails } from '../../contracts/rail.js'
import { SUBGRAPHS } from '../../../subgraphs/registry.js'
import { payBankSlip } from './bank-slip.js'

describe('a rail that is a folder and one line in the registry', () => {
  const services = Object.entries(SUBGRAPHS).map(([name, build]) => ({ name, sdl: build().sdl }))
  const composed = composeServices(
    services.map(({ name, sdl }) => ({ name, url: `http://${name}`, typeDefs: parse(sdl) })),
  )
  if (composed.errors) throw new Error(composed.errors.map(String).join('\n'))
  const apiSchema = federation.Supergraph.build(composed.supergraphSdl).apiSchema().toGraphQLJSSchema()

  it('is a transaction type of the API, in GraphQL and in OpenAPI', () => {
    const type = apiSchema.getType('TransactionType')
    expect(isEnumType(type) && type.getValue('BANKSLIP')?.description).toBe(
      'A bank slip pays, the receivers get crypto.',
    )
    const schema = wholeSchema(composed.supergraphSdl)
    const operations = loadOperations(schema)
    const document = openApiDocument({ schema, operations, publicUrl: 'http://localhost', version: '1' })
    expect(JSON.stringify(document)).toContain('"bankslip"')
  })

  it('is configured by variables that the help lists and that live asks for', () => {
    expect(helpText()).toContain('BANKSLIP_BASE_URL')
    expect(() => loadEnv({ MODE: 'live', PRODUCTS: 'crypto' })).toThrow('BANKSLIP_BASE_URL is needed in live')
    expect(() => loadEnv({ BANKSLIP_BASE_URL: 'no address' })).toThrow('BANKSLIP_BASE_URL must be')
  })
})

await describeRails([
  {
    name: 'bankslip',
    type: 'bankslip',
    method: 'crypto',
    needs: 'payerCpf',
    input: (payment) => pixInput(payment, { transactionType: 'bankslip' }),
    systems: (harness) => ({ exchange: harness.prices.url, node: harness.faultyNode.url }),
    finish: async ({ id, updatedAt }) => payBankSlip(`${id}-1`, updatedAt),
  },
])
