import { hexToNumber, numberToHex, type Hex } from 'viem'
import { afterEach, describe, expect, it } from 'vitest'
import { wholePool } from '../../../test/harness/evm-node-pool.js'
import { refusal } from '../../../test/harness/refusal.js'
import { startSettlementHarness } from '../../../test/harness/settlement.js'
import type { Payout } from '../store/payout.entity.js'
import type { WantedPayouts } from './payout-chain.js'

/**
 * A token that refuses `approve`: no allowance is set, and every other call answers 10^12. It reads two slots before, as tokens do:
 * what costs no more than a call to nobody is held for a node's mistake.
 */
const PAUSED: Hex =
  '0x60003560e01c8063095ea7b314602f5763dd62ed3e14603557600054506001545064e8d4a5100060005260206000f35b60006000fd5b60206000f3'

const harness = await startSettlementHarness({ batches: true })
const unprepared = await startSettlementHarness()
const { pool } = harness
afterEach(() => Object.assign(pool, wholePool()))

function payoutOf(symbol: string, index: number): Payout {
  return {
    ...{ tenantId: 'tenant', paymentId: `payment-${index}`, splitIndex: 0, chainName: harness.chain.name, symbol },
    ...{ receiver: harness.newReceiver(), amount: '1', withheld: '0', fiatAmount: '5.42', convertedFiat: '5.42' },
    ...{
      state: 'waiting',
      holdReason: null,
      delayedUntil: null,
      coinsHeldAt: null,
      failedTries: 0,
      revertedTries: 0,
      waitsFor: null,
      attempt: 0,
      notBefore: new Date(),
    },
    ...{ hash: null, createdAt: new Date(), confirmedAt: null },
  }
}

/** Asks the treasury to sign; nothing is written down or sent. */
async function prepare(payouts: readonly Payout[], { room = 16, nextNonce = 1, of = harness } = {}) {
  const { chain, deps } = of
  const [evm] = deps.payoutChains.evm ?? []
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

  it('leaves room to what has to go alone, in the order in which payouts wait, before the many of one token', async () => {
    const payouts = [
      payoutOf('USDT', 0),
      payoutOf('POL', 1),
      ...Array.from({ length: 250 }, (_, index) => payoutOf('USDT', 2 + index)),
    ]
    const { prepared } = await prepare(payouts, { room: 2 })
    expect(prepared.map((one) => [one.nonce, one.payouts.length, one.payouts[0]?.symbol])).toEqual([
      [1, 100, 'USDT'],
      [2, 1, 'POL'],
    ])
    const many = await prepare(payouts, { room: 4 })
    expect(many.prepared.map((one) => one.payouts.length)).toEqual([100, 100, 51, 1])
  })

  it('pays receivers who are written in capitals, and keeps nobody waiting for one of whom no transaction can be made', async () => {
    const inCapitals = (payout: Payout): Payout => ({
      ...payout,
      receiver: `0x${payout.receiver.slice(2).toUpperCase()}`,
    })
    const unpayable = { ...payoutOf('POL', 9), receiver: '0x12' }
    for (const of of [harness, unprepared]) {
      const payouts = [inCapitals(payoutOf('USDT', 0)), inCapitals(payoutOf('USDT', 1)), inCapitals(payoutOf('POL', 2))]
      const { prepared, failing } = await prepare([...payouts, unpayable], { nextNonce: of === harness ? 1 : 0, of })
      expect(prepared.flatMap((one) => one.payouts)).toHaveLength(3)
      expect(failing).toMatchObject([
        { payout: unpayable, reason: expect.stringContaining('no transaction') as string },
      ])
    }
  })

  it('prepares the account for batches until that was sent, and keeps to the room that there is', async () => {
    const payouts = Array.from({ length: 12 }, (_, index) => payoutOf('USDT', index))
    const sign = async (room: number) => {
      const { prepared } = await prepare(payouts, { room, nextNonce: 0, of: unprepared })
      return prepared.map((one) => one.payouts.length)
    }
    expect(await sign(4)).toEqual([0, 0, 1, 1])
    // What was signed was not written down: a signer failed later, or an operator has paused payouts.
    expect(await sign(4)).toEqual([0, 0, 1, 1])
    expect(await sign(1)).toEqual([0])
  })

  it('holds up nobody for a token that refuses its allowance, as one does that is paused', async () => {
    const address = unprepared.chain.tokens['USDC']?.address ?? '0x'
    await unprepared.anvil.setCode({ address, bytecode: PAUSED })
    const payouts = [
      ...Array.from({ length: 12 }, (_, index) => payoutOf('USDC', index)),
      payoutOf('USDT', 12),
      payoutOf('POL', 13),
    ]
    const { prepared } = await prepare(payouts, { nextNonce: 0, of: unprepared })
    const symbols = prepared.map((one) => one.payouts[0]?.symbol)
    expect(symbols).toEqual([undefined, ...Array.from({ length: 12 }, () => 'USDC'), 'USDT', 'POL'])
  })
})
