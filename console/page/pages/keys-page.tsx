import { Button, Stack } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { apiKeysQuery, createApiKeyMutation, revokeApiKeyMutation } from '../generated/operations.js'
import { refusalOf, useAct, useGraph } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { Confirm } from '../parts/confirm.js'
import { Loading } from '../parts/loading.js'
import { PageTitle } from '../parts/page-title.js'
import { Allowed } from '../session/allowed.js'
import { useKeptDraft } from '../session/kept-drafts.js'
import { KeyTable } from './key-table.js'
import { MadeKey, NewKeyDialog } from './new-key-dialog.js'
import type { ShownKey } from './shown.js'

/** The keys that programs of the tenant call with, newest first. */
export function KeysPage(): ReactNode {
  const t = useText()
  const [isMaking, setMaking] = useKeptDraft('making a key', () => false)
  // A secret is in no memory but this dialog's.
  const [made, setMade] = useState<string>()
  const [ending, setEnding] = useState<ShownKey>()
  const { data, isLoading, error, again } = useGraph(apiKeysQuery, {})
  const revoke = useAct(revokeApiKeyMutation)
  const keys = data?.apiKeys
  const showMade = (key: string | undefined): void => {
    setMaking(false)
    setMade(key)
    again()
  }
  const stopEnding = (): void => setEnding(undefined)
  return (
    <Stack>
      <PageTitle title={t.nav.keys} lead={t.keys.lead}>
        <Allowed act={createApiKeyMutation}>
          <Button onClick={() => setMaking(true)} data-test="new-key">
            {t.keys.make}
          </Button>
        </Allowed>
      </PageTitle>
      <Loading isLoading={isLoading} error={error} again={again} />
      {keys && <KeyTable keys={keys} onRevoke={setEnding} />}
      {isMaking && <NewKeyDialog onMade={showMade} onClose={() => setMaking(false)} />}
      {made !== undefined && <MadeKey value={made} onClose={() => setMade(undefined)} />}
      {ending && (
        <Confirm
          title={`${t.keys.revoke}: ${ending.name}`}
          lead={t.keys.revokeLead}
          act={t.keys.revoke}
          onAct={() => refusalOf(revoke({ id: ending.id }), stopEnding, again)}
          onClose={stopEnding}
        />
      )}
    </Stack>
  )
}
