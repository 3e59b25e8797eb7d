import 'reflect-metadata'
import { parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { startAccountsHarness } from '../../test/harness/accounts.js'
import { operatorContext } from '../../test/harness/operator.js'
import { createLog } from '../../kernel/log.js'
import { localExecutor } from '../../kernel/local-executor.js'
import { hashApiKey } from './domain/api-key.js'
import { createTenant } from './domain/create-tenant.js'
import { accountsSubgraph } from './subgraph.js'

const accounts = await startAccountsHarness()
const { schema } = accountsSubgraph()
const execute = localExecutor(schema, () => accounts.deps, createLog('silent'))
const made = async (name: string) =>
  createTenant(accounts.deps, { name, products: ['pix'], mode: 'test', webhookUrl: null })
const [bakery, baker, shop] = [await made('Bakery 100%'), await made('baker'), await made('Shop')]

const ask = (query: string, variables: Record<string, unknown> = {}) =>
  execute({ document: parse(query), variables, context: operatorContext() })
const found = async (search: string | null) => {
  const { data } = await ask('query ($search: String) { tenants(search: $search) { edges { node { name } } } }', {
    search,
  })
  return (data?.['tenants'] as { edges: { node: { name: string } }[] }).edges.map(({ node }) => node.name)
}

describe('the tenants, for an operator', () => {
  it('are found by the beginning of their name in whatever case, or by their id, the newest first', async () => {
    expect(await found(null)).toEqual(['Shop', 'baker', 'Bakery 100%'])
    expect(await found('BAKER')).toEqual(['baker', 'Bakery 100%'])
    expect(await found('bakery 100%')).toEqual(['Bakery 100%'])
    expect(await found('%')).toEqual([])
    expect(await found(shop.tenant.id)).toEqual(['Shop'])
  })

  it('come page by page, each once', async () => {
    const names: string[] = []
    for (let after: string | null = null; ;) {
      const query = `query ($after: String) { tenants(first: 1, after: $after) { edges { node { name } } pageInfo { hasNextPage endCursor } } }`
      const { tenants } = (await ask(query, { after })).data as unknown as {
        tenants: { edges: { node: { name: string } }[]; pageInfo: { hasNextPage: boolean; endCursor: string } }
      }
      names.push(...tenants.edges.map(({ node }) => node.name))
      if (!tenants.pageInfo.hasNextPage) break
      after = tenants.pageInfo.endCursor
    }
    expect(names).toEqual(['Shop', 'baker', 'Bakery 100%'])
  })

  it('get other products, and lose and get back what their keys open', async () => {
    const { id } = bakery.tenant
    const change = `mutation ($id: ID!) { changeTenantProducts(id: $id, products: [PIX, CREDIT_CARD]) { tenant { products } errors { code } } }`
    expect((await ask(change, { id })).data).toEqual({
      changeTenantProducts: { tenant: { products: ['PIX', 'CREDIT_CARD'] }, errors: [] },
    })
    const isOpen = async () =>
      (await accounts.deps.accounts.keyStatus(hashApiKey(bakery.key), accounts.deps.clock.now())) !== undefined
    await ask('mutation ($id: ID!) { disableTenant(id: $id) { tenant { disabledAt } } }', { id })
    expect(await isOpen()).toBe(false)
    await ask('mutation ($id: ID!) { enableTenant(id: $id) { tenant { disabledAt } } }', { id })
    expect(await isOpen()).toBe(true)
  })

  it('that are not there are told', async () => {
    const { data } = await ask('mutation { disableTenant(id: "nobody") { tenant { id } errors { code } } }')
    expect(data).toEqual({ disableTenant: { tenant: null, errors: [{ code: 'NOT_FOUND' }] } })
    expect(baker.tenant.disabledAt ?? null).toBeNull()
  })
})
