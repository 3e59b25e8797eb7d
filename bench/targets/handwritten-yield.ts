import type { FastifyInstance } from 'fastify'
import { earnMarket } from './handwritten-earn.js'
import type { TargetSettings } from './settings.js'

interface Position {
  wallet: string
  asset: string
  provider: string
  chain_name: string
}

const POSITION_SCHEMA = {
  type: 'object',
  required: ['wallet', 'asset', 'provider', 'chain_name'],
  properties: {
    wallet: { type: 'string', pattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$' },
    asset: { const: 'USDC' },
    provider: { const: 'alpha_lend' },
    chain_name: { const: 'solana' },
  },
}
const WITHDRAW_SCHEMA = {
  ...POSITION_SCHEMA,
  required: [...POSITION_SCHEMA.required, 'amount'],
  properties: { ...POSITION_SCHEMA.properties, amount: { type: 'string', pattern: '^[0-9]+(\\.[0-9]{1,6})?$' } },
}

/** The three yield routes for one market, with what they cache in memory and the rest asked of the chain for each request. */
export function addYieldRoutes(app: FastifyInstance, { rpcUrl, mint, strategies }: TargetSettings['yield']): void {
  const market = earnMarket(rpcUrl, mint)
  const found = (status: string, message: string, data: object): object => ({
    statusCode: 200,
    success: true,
    status,
    message,
    data,
  })

  app.get('/yield/strategies', () => found('get_yield_strategies_ok', 'Strategies found.', strategies))

  app.get<{ Querystring: Position }>(
    '/yield/earnings',
    { schema: { querystring: POSITION_SCHEMA } },
    async ({ query: { provider, asset, wallet, chain_name } }) => {
      const position = await market.position(wallet)
      const isEmpty = position === 0
      return found('get_earnings_position', 'Position read.', {
        earnings: [
          {
            provider,
            asset,
            wallet,
            chain_name,
            position_on_protocol: isEmpty ? null : position,
            earnings_status: isEmpty ? 'no_position' : 'ok',
            earnings_details: null,
          },
        ],
      })
    },
  )

  app.post<{ Body: Position & { amount: string } }>(
    '/yield/withdraw',
    { schema: { body: WITHDRAW_SCHEMA } },
    async ({ body: { wallet, amount } }, reply) => {
      const built = await market.withdraw(wallet, Number(amount))
      if (!built) return reply.code(400).send({ statusCode: 400, success: false, status: 'insufficient_position' })
      return found('withdraw_yield_strategy_ok', 'Transaction built.', built)
    },
  )
}
