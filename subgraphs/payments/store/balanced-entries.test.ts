import { describe, expect, it } from 'vitest'
import { startPaymentsHarness } from '../../../test/harness/payments.js'

const harness = await startPaymentsHarness()

type Line = [entry: string, line: number, currency: string, debit: number, credit: number]

/** Adds lines of a payment by one statement. */
const add = (...lines: Line[]) =>
  harness.query(
    `insert into payments.ledger_line (tenant_id, payment_id, entry, line, account, currency, debit, credit, created_at)
      select 't', 'p', entry, line, 'tenant', currency, debit, credit, now() from json_to_recordset($1::json)
        as given (entry text, line int, currency text, debit numeric, credit numeric)`,
    [JSON.stringify(lines.map(([entry, line, currency, debit, credit]) => ({ entry, line, currency, debit, credit })))],
  )
const UNBALANCED = 'the ledger entry b of payment p does not balance'

describe('the ledger', () => {
  it('takes entries that balance, however many at once, and what balances added to one of them', async () => {
    await add(['a', 0, 'BRL', 2, 0], ['a', 1, 'BRL', 0, 1], ['a', 2, 'BRL', 0, 1], ['c', 0, 'USDT', 0, 7], ['c', 1, 'USDT', 7, 0]) // prettier-ignore
    await add(['a', 3, 'USDT', 1, 0], ['a', 4, 'USDT', 0, 1])
    await expect(harness.query('select from payments.ledger_line')).resolves.toHaveLength(7)
  })

  it.each<[string, Line[]]>([
    ['does not balance', [['b', 0, 'BRL', 1, 0]]],
    ['balances over two currencies alone', [['b', 0, 'BRL', 1, 0], ['b', 1, 'USDT', 0, 1]]], // prettier-ignore
    ['stands behind one that does', [['d', 0, 'BRL', 1, 0], ['d', 1, 'BRL', 0, 1], ['b', 0, 'BRL', 1, 0], ['b', 1, 'BRL', 0, 2]]], // prettier-ignore
  ])('refuses an entry that %s, with all that comes with it', async (_how, lines) => {
    await expect(add(...lines)).rejects.toThrow(UNBALANCED)
    expect(await harness.query(`select from payments.ledger_line where entry in ('b', 'd')`)).toEqual([])
  })

  it('refuses two entries that make up for each other', async () => {
    await expect(add(['b', 0, 'BRL', 1, 0], ['e', 0, 'BRL', 0, 1])).rejects.toThrow('does not balance')
  })

  it('refuses a change by which an entry does not balance any more', async () => {
    await add(['b', 0, 'BRL', 1, 0], ['b', 1, 'BRL', 0, 1])
    const change = (lines: string) =>
      harness.query(`update payments.ledger_line set debit = debit * 2, credit = credit * 2 where ${lines}`)
    await expect(change(`entry = 'b' and line = 0`)).rejects.toThrow(UNBALANCED)
    await change(`entry = 'b'`)
  })
})
