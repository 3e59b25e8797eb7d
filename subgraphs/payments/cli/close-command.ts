import type { Clock } from '../../../kernel/clock.js'
import { readOptions, UsageError } from '../../../kernel/command-line.js'
import { CLOSE_AFTER_MS, closeLedger } from '../domain/close-ledger.js'
import type { LedgerStore } from '../store/ledger.js'
import { timeOption } from '../../../kernel/time-option.js'
import type { Answer } from './answer.js'

/** Closes the ledger. @throws UsageError */
export async function close(ledger: LedgerStore, clock: Clock, args: readonly string[]): Answer {
  const values = readOptions(args, { to: { type: 'string' } })
  const now = clock.now()
  const today = new Date(`${now.toISOString().slice(0, 10)}T00:00:00Z`)
  const to = timeOption(values, 'to') ?? today
  if (now.getTime() - to.getTime() < CLOSE_AFTER_MS) throw new UsageError('--to has to be an hour past at least.')
  const { closedTo, discrepancies } = await closeLedger({ ledger }, to)
  return { answer: { closedTo, discrepancies }, code: discrepancies.length > 0 ? 1 : 0 }
}
