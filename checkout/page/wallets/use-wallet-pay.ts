import { useEffect, useState } from 'preact/hooks'
import type { MethodProps } from '../method-props.js'
import { fill } from '../text.js'
import type { Wallet } from './discover.js'
import { payWith } from './pay.js'
import { remember, remembered } from './remember.js'
import { WalletProblem, type Step } from './steps.js'

/** Some wallets never answer when they are told no: after this the payer may ask again. */
const ASK_AGAIN_MS = 20_000

/** Answers after which the server may not know of what was sent. */
const UNTOLD: readonly string[] = ['offline', 'provider_unavailable', 'rate_limited', 'confirm_rpc_unavailable']

/** Paying by a wallet: where it is, what went wrong, and how it is begun. */
export interface WalletPay {
  step: Step | undefined
  problem: string | undefined
  /** Whether the wallet may be asked now: not while it may still answer, so that nobody pays twice. */
  canAsk: boolean
  pay: (wallet: Wallet) => Promise<void>
}

/** Has wallets pay, and hands in what they sent; also what was sent before the page was loaded again. */
export function useWalletPay(
  { view, act, onView, messages }: MethodProps,
  where: { chain: string; token: string },
): WalletPay {
  const [step, setStep] = useState<Step>()
  const [problem, setProblem] = useState<string>()
  const [isSilent, setSilent] = useState(false)
  const { wallet: texts, errors } = messages
  // The first token of a chain is the one that the receivers get, which alone an address takes.
  const ownToken = view.chains.find(({ name }) => name === where.chain)?.tokens[0]
  const hasAddress = view.addressChains.includes(where.chain) && where.token === ownToken
  const handIn = async (sent: object): Promise<void> => {
    setStep('waiting')
    const outcome = await act('sent', sent)
    if (outcome.view) onView(outcome.view)
    if (outcome.ok || !UNTOLD.includes(outcome.code)) remember(location.pathname, undefined)
    if (outcome.ok || outcome.code === 'broadcast_confirmation_timeout') return
    setStep(undefined)
    setProblem(errors[outcome.code] ?? errors.other)
  }
  const pay = async (wallet: Wallet): Promise<void> => {
    setProblem(undefined)
    try {
      const paid = await payWith(wallet, { act, where, hasAddress, onStep: setStep, onView })
      if (paid.ok) {
        if (paid.sent) await handIn(paid.sent)
        else setStep('waiting')
        return
      }
      setProblem(errors[paid.code] ?? errors.other)
    } catch (error) {
      const kind = error instanceof WalletProblem ? error.kind : 'failed'
      setProblem(fill(texts[kind], { chain: where.chain }))
    }
    setStep(undefined)
  }
  useEffect(() => {
    const before = remembered(location.pathname)
    if (before && !view.isHandedIn) void handIn(before)
  }, [])
  useEffect(() => {
    setSilent(false)
    if (step === undefined || step === 'waiting') return undefined
    const timer = setTimeout(() => {
      setSilent(true)
    }, ASK_AGAIN_MS)
    return () => {
      clearTimeout(timer)
    }
  }, [step])
  return { step, problem, canAsk: step === undefined || isSilent, pay }
}
