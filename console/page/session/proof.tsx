import { Button, Modal, Stack, Text } from '@mantine/core'
import { createContext, useContext, useRef, useState, type ReactNode } from 'react'
import type { Acted } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { Refusal } from '../parts/refusal.js'
import { CodeField } from './code-field.js'
import { askProof, giveProof } from './session-api.js'
import { useSend } from './use-send.js'

type WithProof = <Result>(act: () => Promise<Acted<Result>>) => Promise<Acted<Result>>

const Context = createContext<WithProof>((act) => act())

/**
 * What does a dangerous act: where the server wants a fresh proof that the person is there, a code is asked for, and the act
 * is done again with it.
 */
export function useProof(): WithProof {
  return useContext(Context)
}

export function ProofProvider({ children }: { children: ReactNode }): ReactNode {
  const [isAsking, setAsking] = useState(false)
  const settle = useRef<(isProven: boolean) => void>(() => undefined)
  const ask = async (): Promise<boolean> => {
    await askProof()
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
      {isAsking && <ProofDialog onEnd={(isProven) => settle.current(isProven)} />}
    </Context>
  )
}

function ProofDialog({ onEnd }: { onEnd: (isProven: boolean) => void }): ReactNode {
  const t = useText()
  const [code, setCode] = useState('')
  const { send, isBusy, refused } = useSend(() => onEnd(true))
  return (
    <Modal
      opened
      onClose={() => onEnd(false)}
      title={t.proof.title}
      closeButtonProps={{ 'aria-label': t.common.close }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void send(() => giveProof(code))
        }}
      >
        <Stack>
          <Text size="sm">{t.proof.lead}</Text>
          <CodeField value={code} onChange={setCode} />
          <Refusal refused={refused} />
          <Button type="submit" loading={isBusy} data-test="prove">
            {t.proof.confirm}
          </Button>
        </Stack>
      </form>
    </Modal>
  )
}
