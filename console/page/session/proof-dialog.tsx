import { Button, Stack, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useLanguage, useText } from '../messages/use-text.js'
import { Dialog } from '../parts/dialog.js'
import { Form } from '../parts/form.js'
import { Refusal } from '../parts/refusal.js'
import { CodeField } from './code-field.js'
import { loadPasskey } from './load-passkey.js'
import { askProof, giveProof } from './session-api.js'
import { useSend } from './use-send.js'

interface ProofDialogProps {
  /** Whether a passkey can be asked for; otherwise a code is on its way. */
  hasPasskey: boolean
  /** Told whether the person has proved to be there. */
  onEnd: (isProven: boolean) => void
}

/** Asks for a passkey, or for the code that was sent. */
export function ProofDialog({ hasPasskey, onEnd }: ProofDialogProps): ReactNode {
  const t = useText()
  const [isByCode, setByCode] = useState(!hasPasskey)
  return (
    <Dialog title={t.proof.title} onClose={() => onEnd(false)}>
      {isByCode ? (
        <CodeProof onProven={() => onEnd(true)} />
      ) : (
        <PasskeyProof onProven={() => onEnd(true)} onCode={() => setByCode(true)} />
      )}
    </Dialog>
  )
}

function PasskeyProof({ onProven, onCode }: { onProven: () => void; onCode: () => void }): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const passkey = useSend(onProven)
  const code = useSend(onCode)
  const prove = async (): Promise<void> => (await loadPasskey()).proveByPasskey()
  return (
    <Stack>
      <Text size="sm">{t.proof.passkeyLead}</Text>
      <Refusal refused={passkey.refused ?? code.refused} />
      <Button
        loading={passkey.isBusy}
        data-autofocus
        data-test="prove-passkey"
        onClick={() => void passkey.send(prove)}
      >
        {t.proof.passkey}
      </Button>
      <Button
        variant="subtle"
        loading={code.isBusy}
        data-test="prove-code"
        onClick={() => void code.send(() => askProof(language))}
      >
        {t.proof.code}
      </Button>
    </Stack>
  )
}

function CodeProof({ onProven }: { onProven: () => void }): ReactNode {
  const t = useText()
  const [code, setCode] = useState('')
  const { send, isBusy, refused } = useSend(onProven)
  return (
    <Form onSubmit={() => void send(() => giveProof(code))}>
      <Stack>
        <Text size="sm">{t.proof.lead}</Text>
        <CodeField value={code} onChange={setCode} />
        <Refusal refused={refused} />
        <Button type="submit" loading={isBusy} data-test="prove">
          {t.proof.confirm}
        </Button>
      </Stack>
    </Form>
  )
}
