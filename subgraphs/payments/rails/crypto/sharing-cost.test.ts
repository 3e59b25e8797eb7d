import { parseEther, parseGwei, toHex, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, describe, expect, it } from 'vitest'
import type { EvmChain } from '../../../../chains/chain.js'
import { GAS_PRICE_ORACLE } from '../../../../chains/evm/gas-price-oracle.js'
import { fromBaseUnits, toBaseUnits } from '../../../../kernel/money.js'
import { postJson } from '../../../../test/harness/control.js'
import { startSettlementHarness } from '../../../../test/harness/settlement.js'
import { createTransaction } from '../../domain/create-transaction.js'
import { openAddress } from '../../domain/deposits/open-address.js'
import { cryptoInput } from '../../fixtures/crypto-payments.js'
import { checkoutPayment } from '../../fixtures/payments.js'
import { presentOf } from '../../fixtures/pix-payments.js'
import type { Payment } from '../../store/payment.entity.js'
import { destinationOf, type SplitDestination } from './destination.js'
import { sharingCosts } from './sharing-cost.js'

const harness = await startSettlementHarness()
const { anvil, chain, clock, deps, pool, tenant } = harness
const payer = privateKeyToAccount(harness.treasuryKey)

const refuseNothing = (): void => {
  pool.refuses = () => false
}
/** The node tells everything but what gas costs. */
const hideGasPrice = (): void => {
  pool.refuses = ({ method }) => method === 'eth_gasPrice' && { code: -32601, message: 'method not found' }
}
const failPrices = (mode: 'down' | 'ok') => postJson(`${harness.prices.url}/sandbox/faults`, { mode })
afterEach(async () => {
  refuseNothing()
  await failPrices('ok')
})

/** The least that a receiver gets of USDC by the setting. */
const SET = '0.01'
/** What a POL costs in USDC in every new sandbox, but for what its sources are uncertain by. */
const POL_USDC = 0.52 / 0.9999
/** What sharing out to two receivers takes. */
const GAS_OF_TWO = 756_000n

/** Gas costs so much from now on, and what it cost before counts no more. */
async function setGasPrice(gwei: string): Promise<void> {
  await anvil.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei(gwei) })
  await anvil.mine({ blocks: 1 })
  await harness.advance(31)
}

/** Registers a payment whose payer pays what the receivers get: USDC, in equal parts. */
function registered(each = SET, count = 2): Promise<Payment> {
  const splitPaymentConfig = Array.from({ length: count }, () => ({
    receiverWallet: harness.newReceiver(),
    receiverPercent: 100 / count,
  }))
  const amountFrom = fromBaseUnits(toBaseUnits(each, 6) * BigInt(count), 6)
  return checkoutPayment(harness, {
    ...{ fromCurrencySymbol: 'USDC', toCurrencySymbol: 'USDC' },
    ...{ amountFrom, splitPaymentConfig },
  })
}

const create = (payment: Payment): Promise<Payment> =>
  createTransaction(deps, tenant, cryptoInput(payment, payer.address, { payerTokenSymbol: 'USDC' }))

/** Holds a refusal to its field, and gives the least that it tells. */
async function leastToldBy(refused: Promise<unknown>): Promise<string> {
  const failure = await refused.then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(failure).toMatchObject({ code: 'validation_error', errors: [{ field: 'paymentId' }] })
  const [{ message }] = (failure as { errors: [{ message: string }] }).errors
  return /the least is ([\d.]+)/.exec(message)?.[1] ?? message
}

async function expectUntouched(payment: Payment): Promise<void> {
  expect(await presentOf(harness, payment)).toMatchObject({ status: 'registered', sequence: payment.sequence })
  expect(await harness.query('select 1 from payments.quote where payment_id = $1', [payment.id])).toEqual([])
}

describe('a payment whose receivers each get the least that is set', () => {
  it('is refused to a wallet while that is less than our gas for its split, and nothing is written', async () => {
    await setGasPrice('2000')
    const payment = await registered()
    const told = await leastToldBy(create(payment))
    const cost = (Number(GAS_OF_TWO * (await anvil.getGasPrice())) / 1e18) * POL_USDC
    expect(Number(told) / (cost / 2)).toBeCloseTo(1, 2)
    await expectUntouched(payment)
    // What the refusal tells is enough.
    expect(await create(await registered(told))).toMatchObject({ status: 'pending' })
  })

  it('is given no address while that is less than our gas for sharing out what comes there', async () => {
    await setGasPrice('2000')
    const payment = await registered(SET, 1)
    const told = await leastToldBy(openAddress(deps, tenant, { paymentId: payment.id, chainName: 'polygon' }))
    expect(Number(told)).toBeGreaterThan(0.5)
    await expectUntouched(payment)
  })

  it('is taken while gas costs less than that', async () => {
    await setGasPrice('1')
    expect(await create(await registered())).toMatchObject({ status: 'pending', amountTo: '0.02' })
  })

  it('is taken while no node tells what gas costs, and no less is', async () => {
    await setGasPrice('2000')
    hideGasPrice()
    expect(await create(await registered())).toMatchObject({ status: 'pending' })
    expect(await leastToldBy(create(await registered('0.009999')))).toBe(SET)
  })

  it('is taken while no source prices the chain’s coin, and no less is', async () => {
    await setGasPrice('2000')
    await failPrices('down')
    expect(await create(await registered())).toMatchObject({ status: 'pending' })
    expect(await leastToldBy(create(await registered('0.009999')))).toBe(SET)
  })
})

/** A split between two receivers, on the chain as a deployment may have it. */
async function splitOn(changes: Partial<EvmChain> = {}, symbol = 'USDC'): Promise<SplitDestination> {
  const settings = { chains: [{ ...chain, ...changes }] }
  const payment = { ...(await registered()), toCurrencySymbol: symbol, splitVersion: 2 }
  const { split } = destinationOf({ settings }, payment, 'polygon')
  if (!split) throw new Error('there is no split')
  return split
}

/** The costs as a process begins with them, and what it has asked for and logged. */
function counted() {
  const calls = { node: 0, market: 0, logged: 0 }
  const costOf = sharingCosts({
    clock,
    log: { warn: () => void (calls.logged += 1) },
    evmClient: (of) => {
      calls.node += 1
      return deps.evmClient(of)
    },
    findMarket: (from, to) => {
      calls.market += 1
      return deps.findMarket(from, to)
    },
  })
  return { calls, costOf }
}

describe('what sharing a split out costs us', () => {
  it('is priced once in half a minute, for all who ask', async () => {
    await setGasPrice('20')
    const [split, { calls, costOf }] = [await splitOn(), counted()]
    const costs = await Promise.all([costOf(split, 'USDC'), costOf(split, 'USDC')])
    await harness.advance(20)
    costs.push(await costOf(await splitOn(), 'USDC'))
    expect([new Set(costs).size, calls]).toEqual([1, { node: 1, market: 1, logged: 0 }])
    await setGasPrice('30')
    expect(await costOf(split, 'USDC')).toBeGreaterThan(costs[0] ?? 0n)
    expect(calls).toEqual({ node: 2, market: 2, logged: 0 })
  })

  it('is logged once as unknown, and asked for again half a minute later', async () => {
    const [split, { calls, costOf }] = [await splitOn(), counted()]
    hideGasPrice()
    expect([await costOf(split, 'USDC'), await costOf(split, 'USDC')]).toEqual([undefined, undefined])
    expect(calls).toMatchObject({ node: 1, logged: 1 })
    await harness.advance(31)
    expect(await costOf(split, 'USDC')).toBeUndefined()
    expect(calls).toMatchObject({ node: 2, logged: 1 })
    refuseNothing()
    await harness.advance(31)
    expect(await costOf(split, 'USDC')).toBeGreaterThan(0n)
  })

  it('keeps nobody waiting for a price that takes long, and counts once it is there', async () => {
    await setGasPrice('20')
    let answer: (market: Awaited<ReturnType<typeof deps.findMarket>>) => void = () => undefined
    const findMarket: typeof deps.findMarket = () => new Promise((resolve) => (answer = resolve))
    const costOf = sharingCosts({ ...deps, clock, findMarket }, () => Promise.resolve())
    const split = await splitOn()
    expect([await costOf(split, 'USDC'), await costOf(split, 'USDC')]).toEqual([undefined, undefined])
    answer(await deps.findMarket('POL', 'USDC'))
    await expect.poll(() => costOf(split, 'USDC')).toBeGreaterThan(0n)
  })

  it('is unknown where the coin has no market with the token', async () => {
    const nativeCoin = { symbol: 'NOCOIN', decimals: 18 }
    const { calls, costOf } = counted()
    expect(await costOf(await splitOn({ nativeCoin }), 'USDC')).toBeUndefined()
    expect(calls).toMatchObject({ logged: 1 })
  })

  it('counts gas at the chain’s cap where it costs more, and a coin as itself', async () => {
    await setGasPrice('2000')
    const split = await splitOn({ gasPriceMaxGwei: '10' }, 'POL')
    expect(await counted().costOf(split, 'POL')).toBe(GAS_OF_TWO * parseGwei('10'))
  })

  it('has what publishing both transactions on Ethereum takes, on an OP-stack chain', async () => {
    const fee = parseEther('0.3')
    const bytecode: Hex = `0x7f${toHex(fee, { size: 32 }).slice(2)}60005260206000f3`
    await anvil.setCode({ address: GAS_PRICE_ORACLE, bytecode })
    const [plain, rollup] = [await splitOn({}, 'POL'), await splitOn({ rollup: 'op-stack' }, 'POL')]
    const [before = 0n, after = 0n] = [await counted().costOf(plain, 'POL'), await counted().costOf(rollup, 'POL')]
    // The oracle's word and a third for the deployment, and less than a fifth of that for the call.
    const deployment = (fee * 4n) / 3n
    expect(after - before).toBeGreaterThan(deployment)
    expect(after - before).toBeLessThan((deployment * 6n) / 5n)
  })
})
