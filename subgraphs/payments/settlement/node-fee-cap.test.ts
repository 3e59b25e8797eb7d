import { parseTransaction, type Hex } from 'viem'
import { afterEach, describe, expect, it } from 'vitest'
import { startSettlementHarness } from '../../../test/harness/settlement.js'
import { balancesOf, paidCharges } from '../fixtures/left-out.js'
import { presentOf } from '../fixtures/pix-payments.js'

const harness = await startSettlementHarness({ batches: true })
const { pool } = harness
afterEach(() => Object.assign(pool, { refuses: () => false }))

function gasCostOf(raw: Hex): bigint {
  const { gas = 0n, maxFeePerGas = 0n } = parseTransaction(raw)
  return gas * maxFeePerGas
}

/** Has a node that passes on what costs six tenths of the first transaction that it is sent. Gives what it is sent. */
function capFees(): Hex[] {
  const sent: Hex[] = []
  pool.refuses = ({ method, params }) => {
    if (method !== 'eth_sendRawTransaction') return false
    const raw = params[0] as Hex
    if (sent.at(-1) !== raw) sent.push(raw)
    const isAbove = gasCostOf(raw) * 10n > gasCostOf(sent[0] ?? '0x') * 6n
    return isAbove && { code: -32000, message: 'tx fee (1.52 ether) exceeds the configured cap (1.00 ether)' }
  }
  return sent
}

describe('payouts before a node that passes on no transaction whose gas may cost much', () => {
  it('go in smaller batches than what it refused, and each receiver is paid once', { timeout: 60_000 }, async () => {
    const charges = await paidCharges(harness, 20)
    const before = await harness.transactionCount()
    const sent = capFees()
    await harness.runJobs()
    expect(sent.length).toBeGreaterThan(0)
    for (let minute = 0; minute < 6; minute += 1) await harness.goOn(61)
    const statuses = await Promise.all(charges.map(async ({ payment }) => (await presentOf(harness, payment)).status))
    expect(new Set(statuses)).toEqual(new Set(['success']))
    expect(new Set(await balancesOf(harness, charges))).toEqual(new Set([10_000_000n]))
    // None of it is the receivers' fault.
    const payouts = (await Promise.all(charges.map(({ payment }) => harness.deps.payouts.findAll(payment)))).flat()
    expect(new Set(payouts.map(({ revertedTries }) => revertedTries))).toEqual(new Set([0]))
    // Fewer than one for each, and those that only freed the nonce of what was refused.
    expect((await harness.transactionCount()) - before).toBeLessThan(10)
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })
})
