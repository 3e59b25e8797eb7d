import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { subtract } from '../../../kernel/money.js'
import { startSettlementHarness } from '../../../test/harness/settlement.js'
import { createTransaction } from '../domain/create-transaction.js'
import { readStatement } from '../domain/read-statement.js'
import { executeOnChain } from '../domain/transfers/execute-on-chain.js'
import { cryptoInput, signPayment } from '../fixtures/crypto-payments.js'
import { checkoutPayment } from '../fixtures/payments.js'
import { paidPayment, untilEnded } from '../fixtures/pix-payments.js'
import type { StatementLine } from '../store/statements.js'
import { ledger } from '../fixtures/run-ledger.js'

const harness = await startSettlementHarness()
const begun = harness.clock.now()
const wallet = privateKeyToAccount(harness.treasuryKey)

const splitPaymentConfig = [
  { receiverWallet: harness.newReceiver(), receiverPercent: 75 },
  { receiverWallet: harness.newReceiver(), receiverPercent: 25 },
]

/** Two payments of 100 BRL, 18.450185 USDT each: one by Pix that the treasury pays out, one by a wallet. */
async function pay() {
  const { payment: byPix } = await paidPayment(harness, { splitPaymentConfig })
  await untilEnded(harness, byPix)
  const only = [{ receiverWallet: splitPaymentConfig[0]?.receiverWallet ?? '', receiverPercent: 100 }]
  const payment = await checkoutPayment(harness, { orderCode: 'cother', splitPaymentConfig: only })
  const byWallet = await createTransaction(harness.deps, harness.tenant, cryptoInput(payment, wallet.address))
  const signedTransaction: Hex = await signPayment(wallet, byWallet)
  await executeOnChain(harness.deps, harness.tenant, { paymentId: payment.id, signedTransaction })
  await harness.advance(1)
  return { byPix, byWallet }
}

const { byPix, byWallet } = await pay()

async function run(...args: string[]): Promise<string[]> {
  const { code, text } = await ledger(harness, 'statement', ...args)
  const lines = text.split('\n')
  return code === 0 ? lines : [`exit ${code}`, ...lines]
}

const read = (changes: object = {}, first = 100) =>
  readStatement(harness.deps, harness.tenant, { from: begun.toISOString(), first, ...changes })
const nodesOf = async (changes: object = {}): Promise<StatementLine[]> =>
  (await read(changes)).edges.map(({ node }) => node)

const jsonl = async (...args: string[]) =>
  (await run('--tenant', harness.tenant.id, '--format', 'jsonl', ...args)).map(
    (line) => JSON.parse(line) as Record<string, string | null>,
  )
const to = () => ['--to', harness.clock.now().toISOString()]

describe('a statement', () => {
  it('shows each movement with its receiver, order, rail and transaction, and ends where opening and lines lead', async () => {
    const lines = await nodesOf()
    const payouts = lines.filter(({ kind }) => kind === 'payout')
    // Two transactions that land together are written down in any order.
    expect(payouts).toHaveLength(2)
    expect(payouts.map(({ receiver, amount, rail }) => [receiver, amount, rail])).toEqual(
      expect.arrayContaining([
        [splitPaymentConfig[0]?.receiverWallet, '-13.837639', 'pix'],
        [splitPaymentConfig[1]?.receiverWallet, '-4.612546', 'pix'],
      ]),
    )
    expect(payouts.every(({ transactionHash }) => transactionHash?.startsWith('0x'))).toBe(true)
    const wallets = lines.filter(({ paymentId }) => paymentId === byWallet.id)
    expect(wallets.map(({ kind, amount, rail, orderCode }) => [kind, amount, rail, orderCode])).toEqual([
      ['wallet', '18.450185', 'crypto', 'cother'],
      ['wallet', '-18.450185', 'crypto', 'cother'],
    ])
    expect(wallets[1]?.receiver).toBe(splitPaymentConfig[0]?.receiverWallet)
    const { openingBalances, closingBalances } = await read()
    expect(openingBalances).toEqual([])
    expect(closingBalances).toEqual([
      { account: 'tenant', currency: 'BRL', balance: '0' },
      { account: 'tenant', currency: 'USDT', balance: '0' },
    ])
    const plus = lines.filter(({ amount, currency }) => currency === 'USDT' && !amount.startsWith('-'))
    expect(plus.reduce((left, { amount }) => subtract(left, amount), '36.90037')).toBe('0')
    const passthrough = (await harness.deps.ledger.balances()).find(({ account }) => account.startsWith('passthrough:'))
    expect(passthrough?.balance).toBe('0')
  })

  it('is narrowed by receiver, order and rail', async () => {
    const receiver = splitPaymentConfig[1]?.receiverWallet
    expect(new Set((await nodesOf({ receiver })).map((line) => line.receiver))).toEqual(new Set([receiver]))
    expect(new Set((await nodesOf({ orderCode: 'cother' })).map((line) => line.paymentId))).toEqual(
      new Set([byWallet.id]),
    )
    expect(new Set((await nodesOf({ rail: 'pix' })).map((line) => line.paymentId))).toEqual(new Set([byPix.id]))
  })

  it('comes page by page in the same order, and never another tenant’s', async () => {
    const all = await nodesOf()
    const paged: StatementLine[] = []
    for (let after: string | null = null; ;) {
      const { edges, pageInfo } = await read({ after }, 1)
      paged.push(...edges.map(({ node }) => node))
      if (!pageInfo.hasNextPage) break
      after = pageInfo.endCursor
    }
    expect(paged).toEqual(all)
    const other = await readStatement(harness.deps, { ...harness.tenant, id: 'other' }, { from: begun.toISOString() })
    expect(other).toMatchObject({ edges: [], openingBalances: [], closingBalances: [] })
  })

  it('refuses a cursor that is none and an end before the beginning, naming the field', async () => {
    await expect(read({ after: 'nothing' })).rejects.toMatchObject({ code: 'validation_error' })
    await expect(read({ to: '2000-01-01T00:00:00Z' })).rejects.toMatchObject({ code: 'validation_error' })
  })

  it('is printed with its balances as CSV and JSON lines, and reads the same once its time is closed', async () => {
    const end = to()
    const before = await jsonl(...end)
    expect(before.filter(({ kind }) => kind === 'closing_balance')).toHaveLength(2)
    expect(before.map(({ entry }) => entry).filter((entry) => entry !== null)).toEqual(
      (await nodesOf()).map(({ entry }) => entry),
    )
    const csv = await run('--tenant', harness.tenant.id, ...end)
    expect(csv[0]).toBe('at,kind,account,currency,amount,paymentId,orderCode,rail,receiver,transactionHash,entry')
    expect(csv).toHaveLength(before.length + 1)
    await harness.advance(86_400)
    await harness.deps.ledger.close(new Date(harness.clock.now().getTime() - 3_600_000))
    expect(await jsonl(...end)).toEqual(before)
    const later = await jsonl('--from', harness.clock.now().toISOString(), ...['--to', '2999-01-01'])
    expect(later.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['opening_balance', '0'],
      ['opening_balance', '0'],
      ['closing_balance', '0'],
      ['closing_balance', '0'],
    ])
  })

  it('says what is wrong with its options', async () => {
    expect((await run())[0]).toBe('exit 2')
    expect((await run('--tenant', 't', '--from', 'yesterday')).join()).toContain('--from has to be')
    expect((await run('--tenant', 't', '--format', 'xml')).join()).toContain('--format')
  })
})
