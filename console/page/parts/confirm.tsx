import { Button, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Refused } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { Dialog } from './dialog.js'
import { Refusal } from './refusal.js'
import { useSubmit } from './use-submit.js'

interface ConfirmProps {
  title: string
  lead: string
  /** What the button says that does it. */
  act: string
  /** What else is asked. */
  children?: ReactNode
  /** @returns why it was not done */
  onAct: () => Promise<Refused | undefined>
  onClose: () => void
}

/** Asks before something is done that cannot be undone. */
export function Confirm({ title, lead, act, children, onAct, onClose }: ConfirmProps): ReactNode {
  const t = useText()
  const { submit, isBusy, refused } = useSubmit(onAct)
  return (
    <Dialog title={title} onClose={onClose}>
      <Stack>
        <Text size="sm">{lead}</Text>
        {children}
        <Refusal refused={refused} />
        <Group justify="end">
          <Button variant="default" onClick={onClose}>
            {t.common.back}
          </Button>
          <Button color="red.9" loading={isBusy} onClick={submit} data-test="confirm">
            {act}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
