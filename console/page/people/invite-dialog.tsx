import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { invitePersonMutation, type PersonRole } from '../generated/operations.js'
import type { Acted, Refused } from '../graph/use-graph.js'
import { useLanguage, useText } from '../messages/use-text.js'
import { Dialog } from '../parts/dialog.js'
import { Refusal } from '../parts/refusal.js'
import { useProvenAct } from '../session/use-proven-act.js'
import { mailLanguage } from './mail-language.js'
import { RoleSelect } from './role-select.js'

interface InviteDialogProps {
  /** @returns why it was not done */
  onDone: (acted: Acted<unknown>) => Refused | undefined
  onClose: () => void
}

/** Whom to invite, as what. */
export function InviteDialog({ onDone, onClose }: InviteDialogProps): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<PersonRole>('VIEWER')
  const [isBusy, setBusy] = useState(false)
  const [refused, setRefused] = useState<Refused>()
  const invite = useProvenAct(invitePersonMutation)
  const go = async (): Promise<void> => {
    setBusy(true)
    setRefused(onDone(await invite({ input: { email: email.trim(), role, language: mailLanguage(language) } })))
    setBusy(false)
  }
  return (
    <Dialog title={t.people.invite} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void go()
        }}
      >
        <Stack>
          <Text size="sm">{t.people.inviteLead}</Text>
          <TextInput
            type="email"
            label={t.signIn.email}
            required
            data-autofocus
            data-test="invite-email"
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <RoleSelect role={role} onChange={setRole} />
          <Refusal refused={refused} />
          <Button type="submit" loading={isBusy} data-test="invite-do">
            {t.people.invite}
          </Button>
        </Stack>
      </form>
    </Dialog>
  )
}
