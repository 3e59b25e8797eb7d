import { createContext, lazy, Suspense, useContext, useRef, useState, type ReactNode } from 'react'
import type { Acted } from '../graph/use-graph.js'
import { hasPasskeySupport } from './passkey-support.js'
import { askProof } from './session-api.js'
import { useSession } from './use-session.js'

const ProofDialog = lazy(async () => ({ default: (await import('./proof-dialog.js')).ProofDialog }))

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
  const [isAsking, setAsking] = useState(false)
  const { session } = useSession()
  const hasPasskey = session.hasPasskeys && hasPasskeySupport()
  const settle = useRef<(isProven: boolean) => void>(() => undefined)
  const ask = async (): Promise<boolean> => {
    try {
      // Who has a passkey asks for a code in the dialog, where it is wanted at all.
      if (!hasPasskey) await askProof()
    } catch {
      // Nothing can be proven now: what was refused stays refused.
      return false
    }
    setAsking(true)
    return new Promise((resolve) => {
      settle.current = (isProven) => {
        setAsking(false)
        resolve(isProven)
      }
    })
  }
  const withProof: WithProof = async (act) => {
    const first = await act()
    if (first.refused?.code.toUpperCase() !== 'PROOF_REQUIRED') return first
    return (await ask()) ? act() : first
  }
  return (
    <Context value={withProof}>
      {children}
      {isAsking && (
        <Suspense>
          <ProofDialog hasPasskey={hasPasskey} onEnd={(isProven) => settle.current(isProven)} />
        </Suspense>
      )}
    </Context>
  )
}
