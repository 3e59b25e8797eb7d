import { usdtText, usdtUnits } from './balances.js'
import { expect, type DemoContext } from './demo.js'

/**
 * Looks whether the one receiver of a payment by Pix or card got its due, and says so. Where the account keeps a reserve for
 * refunds, that is less than the payment's amount: what was transferred to it counts then.
 * @param units what came to the receiver on the chain, in base units
 * @param status the payment, which is a success, as `GET /payment/{id}/status` shows it
 */
export function showReceived(
  say: DemoContext['say'],
  { receiver, units }: { receiver: string; units: bigint },
  status: Record<string, unknown>,
): void {
  const { amountTo, transferred } = readSettled(status, receiver)
  expect(units === usdtUnits(transferred), `the receiver got ${usdtText(units)} of ${transferred} USDT`)
  const kept = usdtUnits(amountTo) - units
  expect(kept >= 0n, `the receiver got ${usdtText(units)} USDT, which is more than the payment's ${amountTo}`)
  // No account may keep more (npm run admin -- ledger refund-reserve): what is less than that is lost.
  expect(kept * 2n <= usdtUnits(amountTo), `the receiver got only ${usdtText(units)} of ${amountTo} USDT`)
  say(`received         ${receiver}  ${transferred} USDT`)
  if (kept > 0n) say(`kept             ${usdtText(kept)} USDT for refunds, by the reserve of the account`)
}

/** The amounts of a payment, as decimals: of the whole, and of the transfer to its receiver. */
function readSettled(status: Record<string, unknown>, receiver: string): { amountTo: string; transferred: string } {
  const { transfers = [] } = status['global_payment_data'] as {
    transfers?: { receiver_wallet: string; amount: string }[]
  }
  const [transfer] = transfers.filter(({ receiver_wallet: wallet }) => wallet === receiver)
  expect(transfer !== undefined, `the payment names no transfer to ${receiver}`)
  return { amountTo: String(status['amount_to']), transferred: transfer.amount }
}
