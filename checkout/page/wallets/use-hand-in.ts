import { useEffect, useRef } from 'preact/hooks'
import type { MethodProps } from '../method-props.js'
import { remember, remembered, type Remembered } from './remember.js'

/** How long after an answer that says nothing of the transaction it is handed in again. */
const AGAIN_MS = 10_000

/** Answers by which the transaction does not pay the payment. After any other one it may: nobody is asked to pay again then. */
const REFUSED: readonly string[] = [
  'validation_error',
  'invalid_parameters',
  'invalid_chain',
  'invalid_signed_transaction',
  'missing_unsigned_transaction',
  'payment_failed',
]
/** The same of what the wallet has only signed. What it has sent by itself may be in a block that the server's node lacks. */
const REFUSED_UNSENT: readonly string[] = [
  'invalid_payment_status',
  'stale_transaction_nonce',
  'solana_blockhash_expired',
  'broadcast_rejected',
  'broadcast_simulation_failed',
]

/** What handing in needs of the page. */
export interface HandInProps extends MethodProps {
  /** Whether something was sent of which the server may not know. */
  onUntold: (isUntold: boolean) => void
}

/**
 * Hands in what a wallet has sent, again and again until the server has it or refuses it; until then it is remembered.
 * @param onRefused is told the code
 */
export function useHandIn(
  { view: { isHandedIn }, act, onView, onUntold }: HandInProps,
  onRefused: (code: string) => void,
): (sent: Remembered) => Promise<void> {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const isGone = useRef(false)
  const forget = (): void => {
    clearTimeout(timer.current)
    remember(location.pathname, undefined)
    onUntold(false)
  }
  const handIn = async (sent: Remembered): Promise<void> => {
    onUntold(true)
    const outcome = await act('sent', sent)
    const isRefused = !outcome.ok && isRefusal(sent, outcome.code)
    if (outcome.ok || isRefused) forget()
    if (outcome.view) onView(outcome.view)
    if (isRefused) onRefused(outcome.code)
    if (outcome.ok || isRefused || outcome.view?.isHandedIn || isGone.current) return
    timer.current = setTimeout(() => void handIn(sent), AGAIN_MS)
  }
  useEffect(() => {
    if (isHandedIn && remembered(location.pathname)) forget()
  }, [isHandedIn])
  useEffect(
    () => () => {
      isGone.current = true
      clearTimeout(timer.current)
    },
    [],
  )
  return handIn
}

function isRefusal({ signed }: Remembered, code: string): boolean {
  return REFUSED.includes(code) || (signed !== undefined && REFUSED_UNSENT.includes(code))
}
