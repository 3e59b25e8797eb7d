import type { Route } from './route.js'

/** What the operations that build a yield transaction have in common. */
const YIELD_BUILD = {
  subgraph: 'yield',
  badInput: 'invalid_parameters',
  errors: [
    'invalid_parameters',
    'strategy_disabled',
    'insufficient_position',
    'rebalance_transaction_too_large',
    'broadcast_simulation_failed',
  ],
} as const satisfies Partial<Route>

/** What the two lists of strategies have in common. */
const STRATEGIES = {
  method: 'GET',
  operation: 'yield-strategies',
  subgraph: 'yield',
  reply: { http: 200, status: 'get_yield_strategies_ok', message: 'Strategies found.' },
  keyed: { sources: 'provider' },
  items: {
    strategies: {
      constants: {
        product_type: {
          value: 'lending',
          schema: { description: 'The kind of product, e.g. `lending`.', type: 'string' },
        },
      },
    },
  },
  errors: [],
} as const satisfies Partial<Route>

/** The endpoints under `/yield`. */
export const YIELD_ROUTES: readonly Route[] = [
  { ...STRATEGIES, path: '/yield/strategies', summary: 'The lending strategies of all providers.', ignoresQuery: true },
  {
    ...STRATEGIES,
    path: '/yield/strategies/:symbol',
    summary: 'The lending strategies of one token.',
    operationId: 'yieldStrategiesOfToken',
    badInput: 'invalid_parameters',
    errors: ['invalid_parameters'],
  },
  ...['/yield/rebalance-opportunities', '/yield/rebalance-opportunities/:symbol'].map((path): Route => ({
    method: 'GET',
    path,
    summary: 'Where tokens could earn more, best spread first.',
    operation: 'rebalance-opportunities',
    ...(path.endsWith(':symbol') && { operationId: 'rebalanceOpportunitiesOfToken' }),
    subgraph: 'yield',
    reply: { http: 200, status: 'get_rebalance_opportunities_ok', message: 'Opportunities found.' },
    badInput: 'invalid_parameters',
    errors: ['invalid_parameters'],
  })),
  {
    method: 'POST',
    path: '/yield/deposit',
    summary: 'Builds the unsigned transaction that deposits into a strategy.',
    operation: 'deposit-yield',
    reply: { http: 200, status: 'deposit_yield_strategy_ok', message: 'Transaction built.' },
    ...YIELD_BUILD,
  },
  {
    method: 'POST',
    path: '/yield/withdraw',
    summary: 'Builds the unsigned transaction that withdraws from a strategy.',
    operation: 'withdraw-yield',
    reply: { http: 200, status: 'withdraw_yield_strategy_ok', message: 'Transaction built.' },
    ...YIELD_BUILD,
  },
  {
    method: 'PATCH',
    path: '/yield/rebalance',
    summary: 'Builds what moves money from one strategy into another: one transaction, or two.',
    operation: 'rebalance-yield',
    reply: { http: 200, status: 'rebalance_yield_strategy_ok', message: 'Rebalance built.' },
    aliases: { signer: 'wallet', symbol: 'asset', token_mint: 'asset', mint: 'asset' },
    comparesAliases: true,
    ...YIELD_BUILD,
  },
  {
    method: 'POST',
    path: '/yield/broadcast',
    summary: 'Relays one signed transaction, or the two of a rebalance, once, and waits for confirmation.',
    operation: 'broadcast-yield',
    subgraph: 'yield',
    reply: { http: 200, status: 'broadcast_operation_yield_strategy_ok', message: 'The operation is confirmed.' },
    constants: { status: { value: 1, schema: { description: '1: it succeeded.', type: 'integer' } } },
    badInput: 'invalid_parameters',
    badFields: { op_signed: 'signed_transaction_missing' },
    lists: ['op_signed'],
    absent: ['transactionHashes'],
    errors: [
      'invalid_parameters',
      'signed_transaction_missing',
      'solana_blockhash_expired',
      'broadcast_rejected',
      'broadcast_simulation_failed',
      'broadcast_rpc_unavailable',
      'broadcast_confirmation_timeout',
      'confirm_transaction_failed',
      'confirm_rpc_unavailable',
    ],
  },
  {
    method: 'GET',
    path: '/yield/earnings',
    summary: 'What a wallet has in a strategy, live from the chain.',
    operation: 'yield-earnings',
    subgraph: 'yield',
    reply: { http: 200, status: 'get_earnings_position', message: 'Position read.' },
    badInput: 'params_mismatch',
    errors: ['params_mismatch'],
  },
]
