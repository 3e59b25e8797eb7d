import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useText } from '../messages/use-text.js'
import { Dialog } from '../parts/dialog.js'
import { Refusal } from '../parts/refusal.js'
import { InvitationList } from './invitation-list.js'
import { useSend } from './use-send.js'
import { useSession } from './use-session.js'

/** How many invitations the person has, and a dialog to answer them in; nothing where there are none. */
export function InvitationNotice(): ReactNode {
  const t = useText()
  const { session, refresh } = useSession()
  const { send, isBusy, refused } = useSend(refresh)
  const [isOpen, setOpen] = useState(false)
  const { invitations } = session
  if (invitations.length === 0) return null
  return (
    <>
      <Button
        variant="light"
        size="compact-sm"
        flex="none"
        ml="auto"
        onClick={() => setOpen(true)}
        data-test="invitations"
      >
        {t.signIn.invitations}: {invitations.length}
      </Button>
      {isOpen && (
        <Dialog title={t.signIn.invitations} onClose={() => setOpen(false)}>
          <InvitationList invitations={invitations} isBusy={isBusy} send={send} />
          <Refusal refused={refused} />
        </Dialog>
      )}
    </>
  )
}
