import { TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { Form } from './form.js'

interface SearchFieldProps {
  label: string
  hint: string
  /** What is searched for now; give it as the key too, so that the field follows the address. */
  text: string
  test: string
  /** In pixels. */
  width?: number
  /** What is wrong with a text, where not every one can be searched for. */
  problemOf?: (text: string) => string | undefined
  onSend: (text: string) => void
}

/** A text to search for. It counts when it is sent. */
export function SearchField(props: SearchFieldProps): ReactNode {
  const { label, hint, text, test, width, problemOf, onSend } = props
  const [typed, setTyped] = useState(text)
  const [problem, setProblem] = useState<string>()
  const send = (): void => {
    const wrong = problemOf?.(typed.trim())
    setProblem(wrong)
    if (wrong === undefined) onSend(typed.trim())
  }
  return (
    <Form onSubmit={send}>
      <TextInput
        type="search"
        label={label}
        placeholder={hint}
        {...(width === undefined ? { miw: 280 } : { w: width })}
        error={problem}
        data-test={test}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </Form>
  )
}
