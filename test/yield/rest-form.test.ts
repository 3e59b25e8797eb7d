import { describe, expect, it } from 'vitest'
import { SOLANA_TOKENS } from '../../sandbox/solana/seed.js'
import { startYieldRestHarness } from '../harness/rest-yield.js'

const harness = await startYieldRestHarness()

describe('the REST form of yield', () => {
  it('is told of in the products of a deployment that has markets', async () => {
    expect((await harness.call('GET', '/config/products')).body.data).toMatchObject({ yield: true })
  })

  it('takes the other names of a rebalance, and one signed transaction or a list of them', async () => {
    const signer = await harness.newWallet()
    const first = await harness.broadcast(await harness.signedDeposit(signer, { amount: '100' }))
    expect(first.body).toMatchObject({ status: 'broadcast_operation_yield_strategy_ok', data: { status: 1 } })
    expect(Object.keys(first.body.data ?? {}).toSorted()).toEqual(['status', 'transactionHash'])
    for (const name of ['symbol', 'token_mint', 'mint']) {
      const asset = name === 'symbol' ? 'usdc' : SOLANA_TOKENS.USDC.mint
      const body = {
        chain_name: 'solana',
        amount: '10',
        signer: signer.publicKey.toBase58(),
        [name]: asset,
        provider: 'alpha_lend',
      }
      const answer = await harness.call('PATCH', '/yield/rebalance', body)
      expect([name, answer.body]).toMatchObject([
        name,
        { statusCode: 200, status: 'rebalance_yield_strategy_ok', data: { mode: 'single_transaction' } },
      ])
    }
  })

  it.each([
    ['jupiter_lend', 'alpha_lend'],
    ['kamino', 'beta'],
  ])('takes %s for %s wherever a provider is sent, and answers the latter', async (alias, provider) => {
    const wallet = (await harness.newWallet()).publicKey.toBase58()
    const body = { provider: alias, asset: 'USDC', wallet, amount: '10', chain_name: 'solana' }
    const deposit = await harness.call('POST', '/yield/deposit', body)
    expect(deposit.body).toMatchObject({
      status: 'deposit_yield_strategy_ok',
      data: { transaction: expect.any(String), charged_fee_amount: '0', fee_percentage_applied: '0' },
    })
    expect((await harness.call('POST', '/yield/withdraw', body)).body.status).toBe('insufficient_position')
    const move = { ...body, provider: undefined, provider_out: alias, provider_in: alias }
    expect((await harness.call('PATCH', '/yield/rebalance', move)).body.status).not.toBe('invalid_parameters')
    const query = new URLSearchParams({ provider: alias, asset: 'USDC', wallet, chain_name: 'solana' }).toString()
    const { body: earnings } = await harness.call('GET', `/yield/earnings?${query}`)
    expect(earnings).toMatchObject({ status: 'get_earnings_position', data: { earnings: [{ provider }] } })
  })

  it('names strategies by provider, mint and market, and their protocols by name; one token in any case', async () => {
    const { body } = await harness.call('GET', '/yield/strategies/uSdC')
    const { strategies } = body.data as { strategies: Record<string, unknown>[] }
    expect(strategies.map(({ protocol_display_name: name }) => name)).toEqual(['Jupiter Lend', 'Kamino'])
    for (const { strategy_id: id, provider, addresses } of strategies) {
      const { market_or_vault: market } = addresses as { market_or_vault: string }
      expect(id).toBe([provider, SOLANA_TOKENS.USDC.mint, market].join(':'))
    }
    expect((await harness.call('GET', '/yield/strategies/nope')).body.status).toBe('invalid_parameters')
  })

  it('tells where a token earns more, the routes in one line', async () => {
    const { body } = await harness.call('GET', '/yield/rebalance-opportunities/sol')
    expect(body.status).toBe('get_rebalance_opportunities_ok')
    const [found] = (body.data as { opportunities: Record<string, unknown>[] }).opportunities
    expect(found?.['route_winner']).toMatch(/^SOL-(KAMINO > SOL-JUPITER|JUPITER > SOL-KAMINO)$/)
    expect(Object.keys(found ?? {})).toEqual(['token', 'route_winner', 'winner', 'alternatives', 'apy_spread_percent'])
  })

  it('keys the sources of strategies by provider', async () => {
    const { body } = await harness.call('GET', '/yield/strategies')
    expect(body).toMatchObject({
      status: 'get_yield_strategies_ok',
      data: { sources: { alpha_lend: { ok: true, count: 5 }, beta: { ok: true, count: 5 } } },
    })
  })

  it('reads the live position, in the envelope that every REST answer has', async () => {
    const signer = await harness.newWallet()
    await harness.broadcast(await harness.signedDeposit(signer, { amount: '100' }))
    const query = new URLSearchParams({
      wallet: signer.publicKey.toBase58(),
      asset: 'USDC',
      provider: 'alpha_lend',
      chain_name: 'solana',
    })
    const { body } = await harness.call('GET', `/yield/earnings?${query.toString()}`)
    expect(body).toMatchObject({
      status: 'get_earnings_position',
      data: {
        earnings: [
          {
            provider: 'alpha_lend',
            asset: 'USDC',
            chain_name: 'solana',
            earnings_status: 'ok',
            earnings_details: null,
          },
        ],
      },
    })
    const [entry] = (body.data?.['earnings'] ?? []) as { position_on_protocol: number }[]
    expect(entry?.position_on_protocol).toBeCloseTo(100, 3)
  })
})
