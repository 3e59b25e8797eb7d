import { Button, Stack, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useText } from '../messages/use-text.js'
import { Dialog } from '../parts/dialog.js'
import { Refusal } from '../parts/refusal.js'
import { CodeField } from './code-field.js'
import { giveProof } from './session-api.js'
import { useSend } from './use-send.js'

/** Asks for the code that was sent. @param onEnd told whether it was the right one */
export function ProofDialog({ onEnd }: { onEnd: (isProven: boolean) => void }): ReactNode {
  const t = useText()
  const [code, setCode] = useState('')
  const { send, isBusy, refused } = useSend(() => onEnd(true))
  return (
    <Dialog title={t.proof.title} onClose={() => onEnd(false)}>
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
    </Dialog>
  )
}
