import { describe, expect, it } from 'vitest'
import { SOLANA_TOKENS } from '../../sandbox/solana/seed.js'
import { moveBody, startYieldRestHarness } from '../harness/rest-yield.js'
import { sign } from '../harness/yield.js'

const harness = await startYieldRestHarness()
/** An account on Solana, base58. */
const ADDRESS = expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/)
/** A rate, both ways. */
const RATE = { percent: expect.any(Number), annualized: expect.any(Number) }
const earningsOf = async (query: Record<string, string>) => {
  const { body } = await harness.call('GET', `/yield/earnings?${new URLSearchParams(query).toString()}`)
  return body
}

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

  it('refuses other names in a rebalance that mean something else, and takes those that mean the same', async () => {
    const signer = await harness.newWallet()
    await harness.broadcast(await harness.signedDeposit(signer, { amount: '100' }))
    const wallet = signer.publicKey.toBase58()
    const { USDC, USDT } = SOLANA_TOKENS
    const terms = { chain_name: 'solana', amount: '10', provider: 'alpha_lend' }
    const answerTo = async (names: object) =>
      (await harness.call('PATCH', '/yield/rebalance', { ...terms, ...names })).body
    const same = { wallet, signer: wallet, asset: 'USDC', symbol: 'usdc', token_mint: USDC.mint, mint: USDC.mint }
    expect((await answerTo(same)).status).toBe('rebalance_yield_strategy_ok')
    expect((await answerTo({ ...same, signer: '' })).status).toBe('rebalance_yield_strategy_ok')
    const another = 'names another token than the body does besides'
    for (const [names, message] of [
      [{ ...same, symbol: 'USDT' }, `symbol: ${another}`],
      [{ ...same, token_mint: USDT.mint }, `token_mint: ${another}`],
      [{ wallet, symbol: 'USDC', mint: USDT.mint }, `mint: ${another}`],
      [{ ...same, signer: USDC.mint }, 'signer: must be the same as wallet'],
      [{ signer: 'nobody', mint: USDC.mint }, 'signer: is not a Solana wallet that can sign'],
    ] as const)
      expect(await answerTo(names)).toMatchObject({ statusCode: 400, status: 'invalid_parameters', message })
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

  it('keys the sources of strategies by provider, whatever the query says', async () => {
    for (const path of [
      '/yield/strategies',
      '/yield/strategies?symbol=USDC&provider=beta',
      '/yield/strategies?symbol=',
    ]) {
      const { status, body } = await harness.call('GET', path)
      expect([status, body.status]).toEqual([200, 'get_yield_strategies_ok'])
      const source = { ok: true, message: 'Up to date.', count: 5 }
      expect([path, body.data?.['sources']]).toEqual([path, { alpha_lend: source, beta: source }])
    }
  })

  it('shows a strategy with every field of its row', async () => {
    const { body } = await harness.call('GET', '/yield/strategies/USDC')
    const { mint } = SOLANA_TOKENS.USDC
    const kamino = harness.kaminoOf('USDC')
    const row = {
      strategy_id: expect.any(String),
      product_type: 'lending',
      enabled: true,
      token: { symbol: 'USDC', mint, decimals: 6 },
      liquidity: { tvl_usd: expect.any(Number), total_supply_usd: expect.any(Number), total_borrow_usd: null },
      addresses: { market_or_vault: ADDRESS, reserve: ADDRESS, share_mint: ADDRESS },
    }
    expect(body.data?.['strategies']).toEqual([
      {
        ...row,
        provider: 'alpha_lend',
        protocol_display_name: 'Jupiter Lend',
        apy: { supply: RATE, total_with_rewards: RATE, rewards_only: RATE, borrow: null },
        risk: { max_ltv: null, max_ltv_percent: null },
      },
      {
        ...row,
        provider: 'beta',
        protocol_display_name: 'Kamino',
        apy: {
          supply: RATE,
          total_with_rewards: RATE,
          rewards_only: { percent: 0, annualized: 0 },
          borrow: { percent: expect.closeTo(5.654, 2), annualized: expect.closeTo(0.05654, 4) },
        },
        risk: { max_ltv: 0.8, max_ltv_percent: 80 },
        liquidity: { ...row.liquidity, total_borrow_usd: expect.any(Number) },
        addresses: { ...row.addresses, reserve: kamino.reserve },
      },
    ])
  })

  it('withdraws from a strategy by one unsigned transaction', async () => {
    const signer = await harness.newWallet()
    await harness.broadcast(await harness.signedDeposit(signer, { amount: '100' }))
    const { status, body } = await harness.call('POST', '/yield/withdraw', moveBody(signer, { amount: '40' }))
    expect([status, body]).toEqual([
      200,
      {
        statusCode: 200,
        success: true,
        status: 'withdraw_yield_strategy_ok',
        message: expect.any(String),
        data: {
          transaction: expect.any(String),
          recent_blockhash: expect.any(String),
          last_valid_block_height: expect.any(Number),
        },
      },
    ])
    const sent = await harness.broadcast(sign(signer, String(body.data?.['transaction'])))
    expect(sent.body.data).toMatchObject({ status: 1, transactionHash: expect.any(String) })
  })

  it('rebalances what is too wide for one transaction in two, which are broadcast as an array', async () => {
    const { mint } = harness.kaminoOf('PYUSD')
    const signer = await harness.newWallet(mint)
    const wide = { asset: 'PYUSD', amount: '1000' }
    await harness.broadcast(await harness.signedDeposit(signer, wide))
    const legs = { provider: undefined, provider_out: 'alpha_lend', provider_in: 'beta' }
    const built = await harness.call('PATCH', '/yield/rebalance', moveBody(signer, { ...wide, ...legs, amount: '700' }))
    expect(built.body).toMatchObject({ statusCode: 200, status: 'rebalance_yield_strategy_ok' })
    expect(built.body.data).toEqual({
      mode: 'two_transaction',
      withdraw_transaction: expect.any(String),
      deposit_transaction: expect.any(String),
      recent_blockhash: expect.any(String),
      last_valid_block_height: expect.any(Number),
    })
    const { withdraw_transaction: first, deposit_transaction: second } = built.body.data as Record<string, string>
    const { status, body } = await harness.broadcast([first, second].map((wire) => sign(signer, String(wire))))
    expect([status, body.status]).toEqual([200, 'broadcast_operation_yield_strategy_ok'])
    const { transactionHashes: hashes } = body.data as { transactionHashes: string[] }
    expect(new Set(hashes).size).toBe(2)
    expect(body.data).toEqual({ status: 1, transactionHash: hashes[1], transactionHashes: hashes })
  })

  it('reads the live position of a wallet, and tells that another has none', async () => {
    const [signer, stranger] = [await harness.newWallet(), await harness.newWallet()]
    await harness.broadcast(await harness.signedDeposit(signer, { amount: '100' }))
    const query = { asset: 'USDC', provider: 'alpha_lend', chain_name: 'solana' }
    const [wallet, other] = [signer.publicKey.toBase58(), stranger.publicKey.toBase58()]
    const found = await earningsOf({ ...query, wallet })
    const position = { ...query, wallet, position_on_protocol: expect.closeTo(100, 3) }
    expect(found).toMatchObject({ statusCode: 200, success: true, status: 'get_earnings_position' })
    expect(found.data).toEqual({ earnings: [{ ...position, earnings_status: 'ok', earnings_details: null }] })
    expect((await earningsOf({ ...query, wallet: other })).data).toEqual({
      earnings: [
        { ...query, wallet: other, position_on_protocol: null, earnings_status: 'no_position', earnings_details: null },
      ],
    })
  })
})

describe('a body that lacks something', () => {
  const signer = harness.newWallet()
  const LEGS = { provider_out: 'alpha_lend', provider_in: 'beta' }
  const MISSING: [route: string, body: object, without: string[]][] = [
    ['POST /yield/deposit', {}, ['provider', 'asset', 'wallet', 'amount', 'chain_name']],
    ['POST /yield/withdraw', {}, ['provider', 'asset', 'wallet', 'amount', 'chain_name']],
    ['PATCH /yield/rebalance', {}, ['provider', 'asset', 'wallet', 'amount', 'chain_name']],
    // One leg alone is as good as none, also beside a provider of both.
    ['PATCH /yield/rebalance', { ...LEGS, provider: undefined }, ['provider_out', 'provider_in']],
    ['PATCH /yield/rebalance', LEGS, ['provider_out', 'provider_in']],
  ]

  it.each(MISSING.flatMap(([route, body, names]) => names.map((name) => [route, name, body] as const)))(
    'of %s, without %s, is answered with invalid_parameters',
    async (route, name, change) => {
      const [method = '', path = ''] = route.split(' ')
      const body = moveBody(await signer, { ...change, [name]: undefined })
      const answer = await harness.call(method, path, body)
      expect([answer.status, answer.body]).toEqual([
        400,
        {
          statusCode: 400,
          success: false,
          status: 'invalid_parameters',
          message: expect.stringMatching(`^${name.replace(/^provider_(in|out)$/, 'provider')}: is required`),
        },
      ])
    },
  )

  it.each(['wallet', 'asset', 'provider', 'chain_name'])('of earnings, without %s, params_mismatch', async (name) => {
    const query = new URLSearchParams(moveBody(await signer) as Record<string, string>)
    query.delete(name)
    const { status, body } = await harness.call('GET', `/yield/earnings?${query.toString()}`)
    expect([status, body.status]).toEqual([400, 'params_mismatch'])
  })

  it('of a broadcast, without chain_name or op_signed, is told apart', async () => {
    const signed = await harness.signedDeposit(await harness.newWallet())
    const sent = async (body: object) => (await harness.call('POST', '/yield/broadcast', body)).body.status
    expect(await sent({ op_signed: signed })).toBe('invalid_parameters')
    expect(await sent({ chain_name: 'solana' })).toBe('signed_transaction_missing')
    expect(await sent({})).toBe('invalid_parameters')
  })
})
