import type { ReactNode } from 'react'
import { removePasskeyMutation, renamePasskeyMutation } from '../generated/operations.js'
import { refusalOf, useAct } from '../graph/use-graph.js'
import { useLanguage, useText } from '../messages/use-text.js'
import { Confirm } from '../parts/confirm.js'
import { mailLanguage } from '../people/mail-language.js'
import { useProvenAct } from '../session/use-proven-act.js'
import { NameDialog } from './name-dialog.js'
import type { ShownPasskey } from './shown.js'
import { useAddPasskey } from './use-add-passkey.js'

/** What is being done to passkeys. */
export type PasskeyAct = { kind: 'add' } | { kind: 'rename' | 'remove'; passkey: ShownPasskey }

interface PasskeyDialogProps {
  act: PasskeyAct
  onDone: () => void
  onClose: () => void
}

/** Asks for what an act on the passkeys needs, and does it. */
export function PasskeyDialog({ act, onDone, onClose }: PasskeyDialogProps): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const add = useAddPasskey()
  const rename = useAct(renamePasskeyMutation)
  const remove = useProvenAct(removePasskeyMutation)
  if (act.kind === 'add') {
    return (
      <NameDialog
        title={t.passkeys.add}
        lead={t.passkeys.addLead}
        act={t.passkeys.add}
        onName={(name) => refusalOf(add(name), onDone)}
        onClose={onClose}
      />
    )
  }
  const { id, name } = act.passkey
  if (act.kind === 'rename') {
    return (
      <NameDialog
        title={`${t.passkeys.rename}: ${name}`}
        name={name}
        act={t.passkeys.rename}
        onName={(chosen) => refusalOf(rename({ id, name: chosen }), onDone)}
        onClose={onClose}
      />
    )
  }
  return (
    <Confirm
      title={`${t.common.remove}: ${name}`}
      lead={t.passkeys.removeLead}
      act={t.common.remove}
      onAct={() => refusalOf(remove({ id, language: mailLanguage(language) }), onDone)}
      onClose={onClose}
    />
  )
}
