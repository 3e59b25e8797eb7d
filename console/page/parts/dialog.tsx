import { CloseButton, Group, Modal } from '@mantine/core'
import { useEffect, useState, type ReactNode } from 'react'
import { useText } from '../messages/use-text.js'

interface DialogProps {
  title: string
  onClose: () => void
  size?: string
  children: ReactNode
}

/** A dialog by its title. The kit's own header would be a second banner of the page to a screen reader. */
export function Dialog({ title, onClose, size, children }: DialogProps): ReactNode {
  const t = useText()
  // The kit gives the focus back where a dialog is closed and stays; ours is gone then.
  const [opener] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      if (opener instanceof HTMLElement) opener.focus()
    },
    [opener],
  )
  return (
    <Modal.Root opened onClose={onClose} {...(size !== undefined && { size })}>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body p="md">
          <Group justify="space-between" wrap="nowrap" mb="sm">
            <Modal.Title>{title}</Modal.Title>
            <CloseButton aria-label={t.common.close} onClick={onClose} />
          </Group>
          {children}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
