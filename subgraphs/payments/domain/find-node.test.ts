import { describe, expect, it } from 'vitest'
import { AppError } from '../../../kernel/errors.js'
import { PRODUCTS } from '../../../kernel/tenant.js'
import { kycRecordLookup, orderLookup } from '../peers/existing.js'
import { findNode, findNodes, type FindNodeDeps } from './find-node.js'

const ID = `c${'1'.repeat(24)}`
const caller = { tenantId: 'tenant', keyId: 'key', products: PRODUCTS }
const tenant = { id: 'tenant', products: PRODUCTS, requestId: 'request' }
const away = () => Promise.reject(new AppError('provider_unavailable'))
const nothing: FindNodeDeps = {
  paymentById: () => Promise.resolve(undefined),
  subscriptionById: () => Promise.resolve(undefined),
  refundById: () => Promise.resolve(undefined),
  hasOrder: () => Promise.resolve(false),
  hasKycRecord: () => Promise.resolve(false),
}

describe('a node that is looked for while a subgraph is away', () => {
  it('is found where another has it', async () => {
    const deps = { ...nothing, hasOrder: () => Promise.resolve(true), hasKycRecord: away }
    expect(await findNode(deps, tenant, caller, ID)).toEqual({ __typename: 'Order', id: ID })
  })

  it('is not told to be missing where nobody else has it', async () => {
    for (const deps of [
      { ...nothing, hasOrder: away },
      { ...nothing, hasKycRecord: away },
    ])
      await expect(findNode(deps, tenant, caller, ID)).rejects.toMatchObject({ code: 'provider_unavailable' })
  })

  it('is asked of no verifications without the product, and of nobody where it cannot be an id', async () => {
    const deps = { ...nothing, hasKycRecord: away }
    expect(await findNode(deps, { ...tenant, products: [] }, caller, ID)).toBeNull()
    expect(await findNode({ ...nothing, paymentById: away, hasOrder: away }, tenant, caller, 'none')).toBeNull()
  })
})

describe('other subgraphs', () => {
  it('are asked once for all the ids that a request looks for', async () => {
    const asked: unknown[] = []
    const peer = ({ variables }: { variables?: Record<string, unknown> | undefined }) => {
      asked.push(variables?.['ids'])
      return Promise.resolve({ data: { existing: [ID] } })
    }
    const context = { caller, requestId: 'request' }
    const other = `c${'2'.repeat(24)}`
    const deps = { ...nothing, hasOrder: orderLookup(peer, context), hasKycRecord: kycRecordLookup(undefined, context) }
    const found = await Promise.all(findNodes(deps, tenant, caller, [ID, other, ID]))
    expect(found).toEqual([{ __typename: 'Order', id: ID }, null, { __typename: 'Order', id: ID }])
    expect(asked).toEqual([[ID, other]])
  })
})
