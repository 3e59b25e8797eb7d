import { Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { invitePersonMutation, type PersonRole } from '../generated/operations.js'
import type { Acted, Refused } from '../graph/use-graph.js'
import { useLanguage, useText } from '../messages/use-text.js'
import { FormDialog } from '../parts/form-dialog.js'
import { useKeptDraft } from '../session/kept-drafts.js'
import { useProvenAct } from '../session/use-proven-act.js'
import { mailLanguage } from './mail-language.js'
import { RoleSelect } from './role-select.js'

interface InviteDialogProps {
  /** @returns why it was not done */
  onDone: (act: Promise<Acted<unknown>>) => Promise<Refused | undefined>
  onClose: () => void
}

/** Whom to invite, as what. */
export function InviteDialog({ onDone, onClose }: InviteDialogProps): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const [email, setEmail] = useKeptDraft('invite', () => '')
  const [role, setRole] = useKeptDraft<PersonRole>('invite role', () => 'VIEWER')
  const invite = useProvenAct(invitePersonMutation)
  const go = (): Promise<Refused | undefined> =>
    onDone(invite({ input: { email: email.trim(), role, language: mailLanguage(language) } }))
  return (
    <FormDialog title={t.people.invite} act={t.people.invite} test="invite-do" onAct={go} onClose={onClose}>
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
    </FormDialog>
  )
}
