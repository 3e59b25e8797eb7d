import { hexToNumber, numberToHex, type Hex } from 'viem'
import { afterEach, describe, expect, it } from 'vitest'
import { wholePool } from '../../../test/harness/evm-node-pool.js'
import { refusal } from '../../../test/harness/refusal.js'
import { startSettlementHarness } from '../../../test/harness/settlement.js'
import type { Payout } from '../store/payout.entity.js'
import type { WantedPayouts } from './payout-chain.js'

const harness = await startSettlementHarness({ batches: true })
const { chain, deps, pool } = harness
afterEach(() => Object.assign(pool, wholePool()))

function payoutOf(symbol: string, index: number): Payout {
  return {
    ...{ tenantId: 'tenant', paymentId: `payment-${index}`, splitIndex: 0, chainName: chain.name, symbol },
    ...{ receiver: harness.newReceiver(), amount: '1', withheld: '0', fiatAmount: '5.42', convertedFiat: '5.42' },
    ...{ state: 'waiting', holdReason: null, waitsFor: null, attempt: 0, notBefore: new Date() },
    ...{ hash: null, createdAt: new Date(), confirmedAt: null },
  }
}

/** Asks the treasury to sign; nothing is written down or sent. */
async function prepare(payouts: readonly Payout[], { room = 16, nextNonce = 1 } = {}) {
  const { evm } = deps.payoutChains
  if (!evm) throw new Error('there is no treasury')
  const wanted = { payouts, open: [], room, nextNonce, newestBlock: 0, newId: deps.newId } as unknown as WantedPayouts
  return evm.prepare(chain, wanted)
}

describe('what the treasury signs', () => {
  it('is nothing where a node counts transactions that nobody knows: a gap before it would keep it waiting', async () => {
    pool.change = (method, result) =>
      method === 'eth_getTransactionCount' ? numberToHex(hexToNumber(result as Hex) + 4) : result
    expect(await refusal(prepare([payoutOf('USDT', 1)]))).toMatchObject({
      code: 'provider_unavailable',
      details: 'a node counts 5 transactions of the treasury, and 1 are known',
    })
    Object.assign(pool, wholePool())
    const { prepared } = await prepare([payoutOf('USDT', 1)])
    expect(prepared.map(({ nonce }) => nonce)).toEqual([1])
  })

  it('has the nonce behind all that are known where a node counts fewer', async () => {
    const { prepared } = await prepare([payoutOf('USDT', 1), payoutOf('POL', 2)], { nextNonce: 7 })
    expect(prepared.map(({ nonce }) => nonce)).toEqual([7, 8])
  })
})
