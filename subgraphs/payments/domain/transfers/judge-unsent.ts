import { AppError } from '../../../../kernel/errors.js'
import type { Runtime } from '../../model/runtime.js'
import type { Payment } from '../../store/payment.entity.js'
import type { Stores } from '../../store/stores.js'
import { MONEY_CAME, readUncountedDeposit, type HasUncountedDepositDeps } from '../deposits/has-deposit.js'
import type { SignedVersion } from './signed-version.js'

/** What judging a transaction needs that is to be sent. */
export type JudgeUnsentDeps = HasUncountedDepositDeps & Pick<Runtime, 'clock'> & Pick<Stores, 'broadcasts'>

/**
 * Refuses bytes of a payer that cannot be mined, or by which he would pay twice, as something lies at an address of the payment: what is
 * counted there in part has the rest asked for there. The chain is asked about both at once.
 * @returns when the block was made that has the transaction after all: it may be what has come; undefined where none has it
 * @throws stale_transaction_nonce, invalid_payment_status, confirm_rpc_unavailable
 */
export async function judgeUnsent(
  deps: JudgeUnsentDeps,
  payment: Payment,
  { version, payer }: { version: SignedVersion; payer: string },
): Promise<Date | undefined> {
  const { chainName, onChain } = version
  const checkNonce = async (): Promise<void> => {
    const paidWith = await deps.broadcasts.unfinalOf(chainName, payer, payment.id, deps.clock.now())
    await onChain.checkNonce(payment, version, paidWith)
  }
  const [hasCome] = await Promise.all([readUncountedDeposit(deps, payment), checkNonce()])
  if (!hasCome && !payment.receivedAmount) return undefined
  const minedAt = await onChain.minedAt(chainName, version)
  if (!minedAt) throw new AppError('invalid_payment_status', { message: MONEY_CAME })
  return minedAt
}
