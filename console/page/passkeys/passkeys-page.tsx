import { Button, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { passkeysQuery } from '../generated/operations.js'
import { useGraph } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { Loading } from '../parts/loading.js'
import { PageTitle } from '../parts/page-title.js'
import { useKeptDraft } from '../session/kept-drafts.js'
import { hasPasskeySupport } from '../session/passkey-support.js'
import { useSession } from '../session/use-session.js'
import { PasskeyDialog, type PasskeyAct } from './passkey-dialog.js'
import { PasskeyTable } from './passkey-table.js'

/** The passkeys of the person, whichever tenant is looked at. */
export function PasskeysPage(): ReactNode {
  const t = useText()
  const { refresh } = useSession()
  const [act, setAct] = useKeptDraft<PasskeyAct | undefined>('passkey', () => undefined)
  const { data, isLoading, error, again } = useGraph(passkeysQuery, {})
  const passkeys = data?.passkeys
  const done = (): void => {
    setAct(undefined)
    again()
    // The session says whether there is a passkey to prove with.
    void refresh()
  }
  return (
    <Stack>
      <PageTitle title={t.nav.passkeys} lead={t.passkeys.lead}>
        <Button onClick={() => setAct({ kind: 'add' })} disabled={!hasPasskeySupport()} data-test="add-passkey">
          {t.passkeys.add}
        </Button>
      </PageTitle>
      {!hasPasskeySupport() && <Text>{t.passkeys.unsupported}</Text>}
      <Loading isLoading={isLoading} error={error} again={again} />
      {passkeys && (
        <PasskeyTable
          passkeys={passkeys}
          onRename={(passkey) => setAct({ kind: 'rename', passkey })}
          onRemove={(passkey) => setAct({ kind: 'remove', passkey })}
        />
      )}
      {act && <PasskeyDialog act={act} onDone={done} onClose={() => setAct(undefined)} />}
    </Stack>
  )
}
