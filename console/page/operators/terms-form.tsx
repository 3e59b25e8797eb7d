import { Button, NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Refused } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { Form } from '../parts/form.js'
import { Refusal } from '../parts/refusal.js'
import { Said } from '../parts/said.js'
import { useSubmit } from '../parts/use-submit.js'
import { useKeptDraft } from '../session/kept-drafts.js'
import type { ShownTerms } from './shown.js'

/** What a part of a tenant's terms shows, and may change. */
export interface TenantTermsProps {
  terms: ShownTerms
  tenantId: string
  onChange: () => void
}

interface Field<Name extends string> {
  name: Name
  label: string
  required?: boolean
  /** What can be chosen; typed where left out. */
  choices?: readonly { value: string; label: string }[]
}

interface TermsFormProps<Name extends string> {
  test: string
  /** Whose terms they are. */
  tenantId: string
  initial: Readonly<Record<Name, string>>
  fields: readonly Field<Name>[]
  hint?: string
  /** @returns why it was not saved */
  onSave: (values: Readonly<Record<Name, string>>) => Promise<Refused | undefined>
}

/** A few values that are set together. What they may be the server says. */
export function TermsForm<Name extends string>(props: TermsFormProps<Name>): ReactNode {
  const { test, tenantId, initial, fields, hint, onSave } = props
  const t = useText()
  const [values, setValues] = useKeptDraft(`${test} ${tenantId}`, () => initial)
  const { submit, isBusy, refused, isDone } = useSubmit(() => onSave(values))
  return (
    <Form data-test={test} onSubmit={submit}>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 2, sm: fields.length }} style={{ alignItems: 'end' }}>
          {fields.map(({ name, label, required, choices }) => {
            const given = {
              label,
              'data-test': `${test}-${name}`,
              error: refused?.field === name,
              value: values[name],
              onChange: (event: { currentTarget: { value: string } }) =>
                setValues({ ...values, [name]: event.currentTarget.value }),
            }
            return choices ? (
              <NativeSelect key={name} data={choices.map((one) => ({ ...one }))} {...given} />
            ) : (
              <TextInput key={name} required={required === true} {...given} />
            )
          })}
        </SimpleGrid>
        {hint !== undefined && <Text size="sm">{hint}</Text>}
        <Refusal refused={refused} names={Object.fromEntries(fields.map(({ name, label }) => [name, label]))} />
        <Said text={isDone ? t.operators.tenants.saved : undefined} />
        <div>
          <Button type="submit" variant="default" loading={isBusy} data-test={`${test}-save`}>
            {t.common.save}
          </Button>
        </div>
      </Stack>
    </Form>
  )
}
