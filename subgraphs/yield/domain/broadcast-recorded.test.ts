import type { Keypair } from '@solana/web3.js'
import { afterEach, describe, expect, it } from 'vitest'
import { refusalOf, sign, startYieldHarness, TENANT } from '../../../test/harness/yield.js'
import { withLookupTable } from '../../../test/harness/yield-lookup-table.js'
import type { YieldDeps } from '../deps.js'
import { broadcastsOf, inUsdc, isSend, signatureOf } from '../fixtures/broadcasts.js'
import { depositYield } from './deposit-yield.js'
import { rebalanceYield } from './rebalance-yield.js'

const harness = await startYieldHarness()
const { broadcast, sends, signedDeposit } = broadcastsOf(harness)
afterEach(() => {
  harness.rpc.onCall = () => 'pass'
  harness.rpc.calls.length = 0
})

/** The wire of a rebalance that fits only with the deployment's table. */
async function signedWide(deps: YieldDeps, wallet: Keypair): Promise<string> {
  const move = { ...inUsdc(wallet, '1000'), asset: 'PYUSD', provider: 'alpha_lend' as const }
  const deposited = await depositYield(deps, TENANT, move)
  await broadcast([sign(wallet, deposited.transaction)], deps)
  const legs = { provider: null, providerOut: 'alpha_lend', providerIn: 'beta', amount: '400' }
  const built = await rebalanceYield(deps, TENANT, { ...move, ...legs })
  if (built.mode !== 'single_transaction') throw new Error('it does not fit')
  return sign(wallet, built.transaction.transaction)
}

describe('signed bytes that were broadcast before', () => {
  it('are answered as before though their market is gone from the list', async () => {
    const wire = await signedDeposit(await harness.newWallet())
    const answer = await broadcast([wire])
    const without = harness.config.markets.filter(({ asset }) => asset.symbol !== 'USDC')
    const later = await harness.anotherProcess({ config: { ...harness.config, markets: without } })
    expect(await broadcast([wire], later)).toEqual(answer)
    const other = await signedDeposit(await harness.newWallet())
    expect(await refusalOf(broadcast([other], later))).toMatchObject({ code: 'invalid_parameters' })
  })

  it('are not called unsent by a process that cannot read the markets', async () => {
    const wire = await signedDeposit(await harness.newWallet())
    harness.rpc.onCall = (call) => (isSend(call) ? { answer: { result: signatureOf(wire) } } : 'pass')
    const unconfirmed = { code: 'broadcast_confirmation_timeout' }
    expect(await refusalOf(broadcast([wire]))).toMatchObject(unconfirmed)
    harness.rpc.onCall = () => 'cut'
    const restarted = await harness.anotherProcess()
    expect(await refusalOf(broadcast([wire], restarted))).toMatchObject({ code: 'confirm_rpc_unavailable' })
    harness.rpc.onCall = () => 'pass'
    expect(await broadcast([wire], restarted)).toMatchObject({ transactionHash: signatureOf(wire) })
  })

  it('are answered without the look-up table, which is asked for only where it is used', async () => {
    const deps = await harness.anotherProcess({ config: await withLookupTable(harness) })
    const tables = () => harness.rpc.countOf('getAccountInfo')
    const narrow = await signedDeposit(await harness.newWallet())
    const wide = await signedWide(deps, await harness.newWallet())
    const before = tables()
    await broadcast([narrow], deps)
    expect(tables()).toBe(before)
    harness.rpc.calls.length = 0
    harness.rpc.onCall = ({ method }) => (method === 'getAccountInfo' ? 'cut' : 'pass')
    expect(await refusalOf(broadcast([wide], deps))).toEqual({
      code: 'broadcast_rpc_unavailable',
      details: expect.stringContaining('look-up table'),
    })
    expect(sends()).toBe(0)
    harness.rpc.onCall = () => 'pass'
    const answer = await broadcast([wide], deps)
    harness.rpc.onCall = () => 'cut'
    expect(await broadcast([wide], deps)).toEqual(answer)
  })
})
