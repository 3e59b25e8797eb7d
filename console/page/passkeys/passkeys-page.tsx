import { Button, Stack, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { passkeysQuery, removePasskeyMutation } from '../generated/operations.js'
import { useGraph, type Refused } from '../graph/use-graph.js'
import { useLanguage, useText } from '../messages/use-text.js'
import { Confirm } from '../parts/confirm.js'
import { Loading } from '../parts/loading.js'
import { PageTitle } from '../parts/page-title.js'
import { hasPasskeySupport } from '../session/passkey-support.js'
import { useProvenAct } from '../session/use-proven-act.js'
import { useSession } from '../session/use-session.js'
import { mailLanguage } from '../people/mail-language.js'
import { AddDialog } from './add-dialog.js'
import { PasskeyTable } from './passkey-table.js'
import { RenameDialog } from './rename-dialog.js'
import type { ShownPasskey } from './shown.js'

/** The passkeys of the person, whichever tenant is looked at. */
export function PasskeysPage(): ReactNode {
  const t = useText()
  const { refresh } = useSession()
  const [isAdding, setAdding] = useState(false)
  const { language } = useLanguage()
  const [renaming, setRenaming] = useState<ShownPasskey>()
  const [removing, setRemoving] = useState<ShownPasskey>()
  const { data, isLoading, error, again } = useGraph(passkeysQuery, {})
  const remove = useProvenAct(removePasskeyMutation)
  const passkeys = data?.passkeys
  // The session says whether there is a passkey to prove with.
  const changed = (): void => {
    again()
    void refresh()
  }
  const doRemove = async (id: string): Promise<Refused | undefined> => {
    const { refused } = await remove({ id, language: mailLanguage(language) })
    if (refused) return refused
    setRemoving(undefined)
    changed()
    return undefined
  }
  const added = (): void => {
    setAdding(false)
    changed()
  }
  const renamed = (): void => {
    setRenaming(undefined)
    again()
  }
  return (
    <Stack>
      <PageTitle title={t.passkeys.title} lead={t.passkeys.lead}>
        <Button onClick={() => setAdding(true)} disabled={!hasPasskeySupport()} data-test="add-passkey">
          {t.passkeys.add}
        </Button>
      </PageTitle>
      {!hasPasskeySupport() && <Text>{t.passkeys.unsupported}</Text>}
      <Loading isLoading={isLoading} error={error} again={again} />
      {passkeys?.length === 0 && <Text data-test="no-passkeys">{t.passkeys.nothing}</Text>}
      {passkeys && passkeys.length > 0 && (
        <PasskeyTable passkeys={passkeys} onRename={setRenaming} onRemove={setRemoving} />
      )}
      {isAdding && <AddDialog onAdded={added} onClose={() => setAdding(false)} />}
      {renaming && <RenameDialog passkey={renaming} onRenamed={renamed} onClose={() => setRenaming(undefined)} />}
      {removing && (
        <Confirm
          title={`${t.passkeys.remove}: ${removing.name}`}
          lead={t.passkeys.removeLead}
          act={t.passkeys.remove}
          onAct={() => doRemove(removing.id)}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </Stack>
  )
}
