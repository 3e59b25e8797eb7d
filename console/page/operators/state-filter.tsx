import { NativeSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import { useText } from '../messages/use-text.js'
import { STATES, stateSearch } from './operator-search.js'

interface StateFilterProps {
  /** What is shown where nothing was chosen is what is open. */
  state: (typeof STATES)[number]
  onChange: (search: ReturnType<typeof stateSearch>) => void
}

/** What is open, or what is not any more. */
export function StateFilter({ state, onChange }: StateFilterProps): ReactNode {
  const t = useText()
  return (
    <NativeSelect
      label={t.common.status}
      maw={240}
      data-test="filter-state"
      value={state}
      onChange={(event) => onChange(stateSearch({ state: event.currentTarget.value }))}
      data={STATES.map((value) => ({ value, label: t.operators.states[value] }))}
    />
  )
}
