import { useEffect, useRef, useState } from 'preact/hooks'
import { chainText, fill } from '../text.js'
import type { Wallet } from './discover.js'
import { payWith } from './pay.js'
import { remembered } from './remember.js'
import { WalletProblem, type Step } from './steps.js'
import { useHandIn, type HandInProps } from './use-hand-in.js'

/** Some wallets never answer when they are told no: after this the payer may ask again. */
const ASK_AGAIN_MS = 20_000

/** Paying by a wallet: where it is, what went wrong, and how it is begun. */
export interface WalletPay {
  step: Step | undefined
  problem: string | undefined
  /** Whether the wallet may be asked now: not while it may still answer, so that nobody pays twice. */
  canAsk: boolean
  /** Whether it was asked and has said nothing for so long that it may be asked again. */
  isSilent: boolean
  pay: (wallet: Wallet) => Promise<void>
}

/** Has wallets pay, and hands in what they sent; also what was sent before the page was loaded again. */
export function useWalletPay(props: HandInProps, where: { chain: string; token: string }): WalletPay {
  const { view, act, onView, messages } = props
  const [step, setStep] = useState<Step>()
  const [problem, setProblem] = useState<string>()
  const [isSilent, setSilent] = useState(false)
  const { wallet: texts, errors } = messages
  // The first token of a chain is the one that the receivers get, which alone an address takes.
  const ownToken = view.chains.find(({ name }) => name === where.chain)?.tokens[0]
  const hasAddress = view.addressChains.includes(where.chain) && where.token === ownToken
  // A wallet that was asked twice may answer twice: what it sent counts, and no answer to an older question besides.
  const asked = useRef(0)
  const hasSent = useRef(false)
  const handIn = useHandIn(props, (code) => {
    hasSent.current = false
    setStep(undefined)
    setProblem(errors[code] ?? errors.other)
  })
  const pay = async (wallet: Wallet): Promise<void> => {
    const own = (asked.current += 1)
    const isOld = (): boolean => hasSent.current || own !== asked.current
    const onStep = (next: Step): void => {
      if (!isOld()) setStep(next)
    }
    const fail = (text: string): void => {
      if (isOld()) return
      setProblem(text)
      setStep(undefined)
    }
    setProblem(undefined)
    try {
      const paid = await payWith(wallet, { act, where, hasAddress, onStep, onView })
      if (!paid.ok) {
        fail(errors[paid.code] ?? errors.other)
        return
      }
      hasSent.current = true
      setProblem(undefined)
      setStep('waiting')
      if (paid.sent) await handIn(paid.sent)
    } catch (error) {
      const kind = error instanceof WalletProblem ? error.kind : 'failed'
      fail(fill(texts[kind], { chain: chainText(where.chain) }))
    }
  }
  useEffect(() => {
    const before = remembered(location.pathname)
    if (!before || view.isHandedIn) return
    hasSent.current = true
    setStep('waiting')
    void handIn(before)
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
  return { step, problem, canAsk: step === undefined || isSilent, isSilent, pay }
}
