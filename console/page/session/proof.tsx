import { createContext, useContext, useRef, useState, type ReactNode } from 'react'
import { loadAgain } from '../../../checkout/page/load-again.js'
import type { Acted } from '../graph/use-graph.js'
import { useLanguage } from '../messages/use-text.js'
import { hasPasskeySupport } from './passkey-support.js'
import { askProof } from './session-api.js'
import { useSession } from './use-session.js'

const loadDialog = loadAgain(() => import('./proof-dialog.js'))

type Dialog = Awaited<ReturnType<typeof loadDialog>>['ProofDialog']

type WithProof = <Result>(act: () => Promise<Acted<Result>>) => Promise<Acted<Result>>

const Context = createContext<WithProof>((act) => act())

/**
 * What does a dangerous act: where the server wants a fresh proof that the person is there, a passkey or a code is asked for,
 * and the act is done again with it.
 */
export function useProof(): WithProof {
  return useContext(Context)
}

export function ProofProvider({ children }: { children: ReactNode }): ReactNode {
  const [asking, setAsking] = useState<{ Dialog: Dialog }>()
  const { session } = useSession()
  const { language } = useLanguage()
  const hasPasskey = session.hasPasskeys && hasPasskeySupport()
  const settle = useRef<(isProven: boolean) => void>(() => undefined)
  const ask = async (Dialog: Dialog): Promise<boolean> => {
    try {
      // Who has a passkey asks for a code in the dialog, where it is wanted at all.
      if (!hasPasskey) await askProof(language)
    } catch {
      // Nothing can be proven now: what was refused stays refused.
      return false
    }
    setAsking({ Dialog })
    return new Promise((resolve) => {
      settle.current = (isProven) => {
        setAsking(undefined)
        resolve(isProven)
      }
    })
  }
  const withProof: WithProof = async (act) => {
    const first = await act()
    if (first.refused?.code.toUpperCase() !== 'PROOF_REQUIRED') return first
    // Before a code is sent, which nobody could type anywhere.
    const loaded = await loadDialog().catch(() => undefined)
    if (!loaded) return { refused: { code: 'UNREACHABLE', message: '' } }
    return (await ask(loaded.ProofDialog)) ? act() : first
  }
  return (
    <Context value={withProof}>
      {children}
      {asking && <asking.Dialog hasPasskey={hasPasskey} onEnd={(isProven) => settle.current(isProven)} />}
    </Context>
  )
}
