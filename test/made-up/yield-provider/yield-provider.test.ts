import { composeServices } from '@apollo/composition'
import federation from '@apollo/federation-internals'
import { parse, type GraphQLEnumType } from 'graphql'
import 'reflect-metadata'
import { expect, it } from 'vitest'
import { systemClock } from '../../../kernel/clock.js'
import { createLog } from '../../../kernel/log.js'
import { loadOperations, wholeSchema } from '../../../rest-compat/operation.js'
import { openApiDocument } from '../../../rest-compat/openapi.js'
import { strategiesCache } from '../../../subgraphs/yield/domain/strategies-cache.js'
import { listStrategies } from '../../../subgraphs/yield/domain/yield-strategies.js'
import { startBankHarness } from '../../harness/bank.js'
import type { YieldProvider } from '../../../subgraphs/yield/providers/provider.js'
import { PROVIDERS } from '../../../subgraphs/yield/providers/registry.js'
import { itKeepsTheContract } from '../../contracts/yield-provider.js'
import { madeUp } from './made-up.js'

// The one line, as a folder's would be in the registry. What follows from the registry at import is imported after it.
;(PROVIDERS as YieldProvider[]).push(madeUp)

itKeepsTheContract(madeUp)

it('is among the strategies', async () => {
  const harness = startBankHarness()
  const log = createLog('silent')
  const strategies = strategiesCache({
    providers: PROVIDERS.map(({ name }) => name),
    load: (name) => {
      const own = harness.markets.filter(({ provider }) => provider.name === name)
      const markets = own.map((market) => ({ market, state: harness.stateOf(market) }))
      return Promise.resolve({ markets, unread: [] })
    },
    ttlMs: 60_000,
    clock: systemClock,
    log,
  })
  const settings = { providers: PROVIDERS, markets: [] }
  const { strategies: listed, sources } = await listStrategies({ strategies, settings }, {})
  expect(listed.find(({ provider }) => provider === 'made_up')).toMatchObject({
    protocolDisplayName: 'Made-up Lend',
    apy: { supply: { percent: 7, annualized: 0.07 } },
  })
  expect(sources.find(({ provider }) => provider === 'made_up')).toMatchObject({
    ok: true,
    count: harness.seeded.length,
  })
})

it('is in the markets file, the GraphQL schema and the OpenAPI document', async () => {
  const { parseYieldConfig } = await import('../../../subgraphs/yield/parse-yield-config.js')
  const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
  const { markets } = parseYieldConfig({ markets: [{ provider: 'made_up', symbol: 'USDC', mint, decimals: 6 }] })
  expect(markets[0]?.provider).toBe(madeUp)

  const { SUBGRAPHS } = await import('../../../subgraphs/registry.js')
  const services = Object.entries(SUBGRAPHS).map(([name, build]) => ({
    name,
    url: `http://${name}`,
    typeDefs: parse(build().sdl),
  }))
  const { supergraphSdl = '' } = composeServices(services)
  const apiSchema = federation.Supergraph.build(supergraphSdl).apiSchema().toGraphQLJSSchema()
  const enumType = apiSchema.getType('YieldProvider') as GraphQLEnumType
  expect(enumType.getValue('MADE_UP')?.description).toBe('Made-up Lend.')

  const schema = wholeSchema(supergraphSdl)
  const operations = loadOperations(schema)
  const document = openApiDocument({ schema, operations, publicUrl: 'http://localhost', version: '0' })
  const deposit = JSON.stringify(document.paths['/yield/deposit'])
  expect(`${deposit}${JSON.stringify(document.components.schemas)}`).toContain('"made_up"')
})

it('has its variables in npm start -- --help, and gets their values', async () => {
  const { helpText, loadEnv } = await import('../../../app/env.js')
  expect(helpText()).toMatch(/MADE_UP_REGION +where the made-up protocol is/)
  expect(loadEnv({ MADE_UP_REGION: 'moon' }).yieldProviders).toEqual({ MADE_UP_REGION: 'moon' })
})
