import { TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { Form } from './form.js'

interface SearchFieldProps {
  label: string
  hint: string
  /** What is searched for now; give it as the key too, so that the field follows the address. */
  text: string
  test: string
  onSend: (text: string) => void
}

/** A text to search for. It counts when it is sent. */
export function SearchField({ label, hint, text, test, onSend }: SearchFieldProps): ReactNode {
  const [typed, setTyped] = useState(text)
  return (
    <Form onSubmit={() => onSend(typed.trim())}>
      <TextInput
        type="search"
        label={label}
        placeholder={hint}
        miw={280}
        data-test={test}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </Form>
  )
}
