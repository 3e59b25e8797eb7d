import { Button, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Refused } from '../graph/use-graph.js'
import { Dialog } from './dialog.js'
import { Form } from './form.js'
import { Refusal } from './refusal.js'
import { useSubmit } from './use-submit.js'

interface FormDialogProps {
  title: string
  /** What the button says that does it. */
  act: string
  /** The button's name for tests. */
  test: string
  /** How wide it is at most, where the usual is too narrow. */
  size?: 'lg'
  /** Whether something that has to be chosen is not. */
  isIncomplete?: boolean
  /** The fields. */
  children: ReactNode
  /** @returns why it was not done, which is then shown; undefined where it was, and the dialog is closed */
  onAct: () => Promise<Refused | undefined>
  onClose: () => void
}

/** Asks for what an act needs, and does it. What is wrong with the fields the server says. */
export function FormDialog(props: FormDialogProps): ReactNode {
  const { title, act, test, size, isIncomplete, children, onAct, onClose } = props
  const { submit, isBusy, refused } = useSubmit(onAct)
  return (
    <Dialog title={title} onClose={onClose} {...(size && { size })}>
      <Form onSubmit={submit}>
        <Stack>
          {children}
          <Refusal refused={refused} />
          <Button type="submit" loading={isBusy} disabled={isIncomplete === true} data-test={test}>
            {act}
          </Button>
        </Stack>
      </Form>
    </Dialog>
  )
}
