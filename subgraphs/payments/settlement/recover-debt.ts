import type { Transaction } from '../../../kernel/database.js'
import { RECOVERY, recoveryEntry, REFUND_BALANCE } from '../model/ledger-entries.js'
import type { Runtime } from '../model/runtime.js'
import { amountOf, unitsOf } from '../model/signed-amount.js'
import type { Debt } from '../store/ledger.js'
import type { Payment } from '../store/payment.entity.js'
import type { Stores } from '../store/stores.js'

/** How many payments a failure names. */
const NAMED_MAX = 10

/** What recovering a debt needs. */
export type RecoverDebtDeps = Pick<Runtime, 'clock'> & Pick<Stores, 'ledger'>

/**
 * Takes what a payment has left its tenant owing, after its money went back by another's will, from what the tenant has set aside
 * for refunds, as far as that goes; gives back what was taken where the tenant owes less by now. Under the payment's row lock,
 * with all that has happened booked; a second time it changes nothing.
 */
export async function recoverDebt(
  deps: RecoverDebtDeps,
  em: Transaction,
  { tenantId, id: paymentId }: Pick<Payment, 'tenantId' | 'id'>,
  currency: string,
): Promise<void> {
  const { ledger, clock } = deps
  const ours = { tenantId, paymentId }
  await em.flush()
  const owed = unitsOf(await ledger.owedOf(em, { ...ours, currency }))
  const taken = await ledger.sumOfNumbered(em, { ...ours, name: RECOVERY, account: REFUND_BALANCE })
  const most = owed > 0n ? unitsOf(await ledger.lockRefundBalance(em, { tenantId, currency })) : -unitsOf(taken.amount)
  const isEnough = owed > 0n ? most > owed : most < owed
  const units = isEnough ? owed : most
  if (units === 0n) return
  const entry = recoveryEntry(taken.entries + 1, { amount: amountOf(units), currency })
  await ledger.book(em, { ...ours, at: clock.now() }, entry)
}

/**
 * The same for all debts, of one tenant or of all: since they were left something may have been set aside. One that cannot be recovered
 * keeps no other.
 * @throws AggregateError where there are such, in the end
 */
export async function recoverDebts(deps: RecoverDebtDeps & Pick<Stores, 'payments'>, tenantId?: string): Promise<void> {
  const failed: { paymentId: string; error: unknown }[] = []
  let debts = await deps.ledger.debts({ tenantId })
  while (debts.length > 0) {
    for (const debt of debts)
      await recoverOne(deps, debt).catch((error: unknown) => failed.push({ paymentId: debt.paymentId, error }))
    debts = await deps.ledger.debts({ tenantId, after: debts.at(-1) })
  }
  if (failed.length === 0) return
  const named = failed.slice(0, NAMED_MAX).map(({ paymentId }) => paymentId)
  throw new AggregateError(
    failed.map(({ error }) => error),
    `what ${failed.length} payments have left their tenants owing could not be recovered: ${named.join(', ')}`,
  )
}

async function recoverOne(deps: RecoverDebtDeps & Pick<Stores, 'payments'>, debt: Debt): Promise<void> {
  await deps.payments.change(debt.tenantId, debt.paymentId, async (payment, em) => {
    await recoverDebt(deps, em, payment, debt.currency)
    return undefined
  })
}
