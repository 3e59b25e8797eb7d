import { Button, Group, NativeSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import { useText } from '../messages/use-text.js'
import { DayFields } from '../parts/day-fields.js'
import { SearchField } from '../parts/search-field.js'
import { isSignedAmount, typedAmount } from '../parts/typed-amount.js'
import { isFiltered, METHODS, paymentSearch, STATUSES, type PaymentSearch } from './payment-search.js'

interface PaymentFiltersProps {
  search: PaymentSearch
  onChange: (search: PaymentSearch) => void
}

/** The filters of the list: what is chosen counts at once, the text when it is sent. */
export function PaymentFilters({ search, onChange }: PaymentFiltersProps): ReactNode {
  const t = useText()
  const set = (name: keyof PaymentSearch, value: string): void => {
    onChange(paymentSearch({ ...search, after: undefined, [name]: value }))
  }
  const find = (text: string): void => {
    const found = isSignedAmount(text) ? { search: undefined, amount: text } : { search: text }
    onChange(paymentSearch({ ...search, after: undefined, ...found }))
  }
  const choices = (
    words: readonly string[],
    texts: Readonly<Record<string, string>>,
  ): { value: string; label: string }[] => [
    { value: '', label: t.common.all },
    ...words.map((value) => ({ value, label: texts[value] ?? value })),
  ]
  return (
    <Group align="end" gap="sm" role="search">
      <SearchField
        key={`search ${search.search} ${search.amount}`}
        label={t.payments.search}
        hint={t.payments.searchHint}
        text={search.search ?? ''}
        test="filter-search"
        width={210}
        onSend={find}
      />
      <SearchField
        key={`amount ${search.amount}`}
        label={t.common.amount}
        hint={t.payments.amountHint}
        text={search.amount ?? ''}
        test="filter-amount"
        width={120}
        problemOf={(text) => (text === '' || typedAmount(text) ? undefined : t.payments.noAmount)}
        onSend={(text) => set('amount', text)}
      />
      <NativeSelect
        label={t.common.status}
        data-test="filter-status"
        value={search.status ?? ''}
        onChange={(event) => set('status', event.currentTarget.value)}
        data={choices(STATUSES, t.status)}
      />
      <NativeSelect
        label={t.payments.method}
        data-test="filter-method"
        value={search.method ?? ''}
        onChange={(event) => set('method', event.currentTarget.value)}
        data={choices(METHODS, t.methods)}
      />
      <DayFields
        days={search}
        onChange={(change) => onChange(paymentSearch({ ...search, after: undefined, ...change }))}
      />
      {isFiltered(search) && (
        <Button variant="subtle" px="xs" onClick={() => onChange({})} data-test="filter-clear">
          {t.common.clear}
        </Button>
      )}
    </Group>
  )
}
