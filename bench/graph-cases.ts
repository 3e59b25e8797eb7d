import { at, LIST, type Case } from './cases.js'
import type { WireRequest } from './http-client.js'
import type { Demo } from './workspace.js'

/** A page of payments, each with its order, which another subgraph has. */
const WITH_ORDERS = `query PaymentsWithOrders($after: String) {
  payments(first: 20, after: $after) {
    edges { node { id status amountFrom order { id executorId amountFrom fromCurrencySymbol active } } }
    pageInfo { hasNextPage endCursor }
  }
}`

/** As many orders as an account can have. */
const ORDERS = 20
/** How many different pages are asked for. */
const PAGES = 100
const CLIENTS = 8

/** What eight clients ask, each by a document of its own. */
const DOCUMENTS = Array.from({ length: CLIENTS }, (_, client) => {
  const fields = [
    'status',
    'transactionType',
    'amountFrom',
    'amountTo',
    'toChain',
    'orderCode',
    'createdAt',
    'updatedAt',
  ]
  const chosen = fields.filter((_field, index) => index % CLIENTS !== client)
  return `query Client${client}($after: String) {
    payments(first: ${10 + client}, after: $after) { edges { cursor node { id ${chosen.join(' ')} } } pageInfo { endCursor } }
  }`
})

/**
 * The cases of the graph alone: two subgraphs in one answer, a single connection, and clients with documents of their own.
 * @param ids the seeded payments, oldest first
 */
export function graphCases(apiKey: string, ids: readonly string[]): Case[] {
  const headers = { 'x-api-key': apiKey }
  const ask = (query: string, after: string): WireRequest => ({
    ...{ method: 'POST', path: '/graphql', headers: { ...headers, 'content-type': 'application/json' } },
    body: JSON.stringify({ query, variables: { after } }),
  })
  const cursors = Array.from({ length: PAGES }, (_, index) => {
    const id = ids[(index * 7919) % ids.length] ?? ''
    return Buffer.from(id).toString('base64url')
  })
  const list = cursors.map((after) => ask(LIST, after))
  const byHand = cursors.map((after): WireRequest => ({ method: 'GET', path: `/payments?after=${after}`, headers }))
  const withOrders = cursors.map((after) => ask(WITH_ORDERS, after))
  const different = cursors.map((after, index) => ask(DOCUMENTS[index % CLIENTS] ?? LIST, after))
  // What an answer has cost is told by the product alone.
  const shared = {
    writes: false,
    varying: { remaining: '\\d+' },
    essence: (_target: string, body: unknown) => at(body, 'data'),
  }
  return [
    { ...shared, name: 'GraphQL two subgraphs', requests: { product: withOrders, stock: withOrders } },
    {
      ...shared,
      name: 'GraphQL one connection',
      connections: 1,
      requests: { product: list, handwritten: byHand, stock: list },
    },
    {
      ...shared,
      name: 'GraphQL 8 documents',
      connections: CLIENTS,
      requests: { product: different, stock: different },
    },
  ]
}

/** Has the product make orders. @returns their ids */
export async function makeOrders(port: number, { apiKey }: Pick<Demo, 'apiKey'>): Promise<string[]> {
  const order = {
    ...{ executorId: 'api_transaction', fromCurrencySymbol: 'USD', amountFrom: '54.20', toCurrencySymbol: 'USDT' },
    ...{ onRamp: false, gatewayMethod: 'DIRECT' },
  }
  const query =
    'mutation ($order: CreateOrderInput!) { createOrder(input: $order) { order { id } errors { message } } }'
  const ids: string[] = []
  for (let number = 0; number < ORDERS; number += 1) {
    const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables: { order } }),
    })
    const answer = (await response.json()) as { data?: { createOrder?: { order: { id: string } | null } } }
    const id = answer.data?.createOrder?.order?.id
    if (id === undefined) throw new Error(`an order was not made: ${JSON.stringify(answer)}`)
    ids.push(id)
  }
  return ids
}
