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
