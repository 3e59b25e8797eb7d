import type { ReactNode } from 'react'
import { alertWords } from '../messages/alert-words.js'
import type { Language } from '../messages/language.js'
import { useLanguage, useText } from '../messages/use-text.js'
import { figure, moment } from '../parts/format.js'
import { Nothing } from '../parts/nothing.js'
import { RowButton } from '../parts/row-button.js'
import { DataTable } from '../parts/table.js'
import type { ShownDifference } from './shown.js'

interface DifferenceTableProps {
  differences: readonly ShownDifference[]
  onResolve: (difference: ShownDifference) => void
}

/** Differences, each with both sides. */
export function DifferenceTable({ differences, onResolve }: DifferenceTableProps): ReactNode {
  const { operators, common, differenceKinds } = useText()
  const { language } = useLanguage()
  const { differences: texts } = operators
  return (
    <DataTable<ShownDifference>
      label={operators.nav.differences}
      test="differences"
      rows={differences}
      keyOf={({ id }) => id}
      nothing={<Nothing text={texts.nothing} test="no-differences" />}
      columns={[
        { name: operators.what, show: ({ kind }) => differenceKinds[kind] },
        { name: common.about, show: ({ subject }) => <span className="id">{subject}</span> },
        {
          name: texts.expected,
          isAmount: true,
          show: ({ expected, currency }) => valueText(expected, currency, language),
        },
        { name: texts.actual, isAmount: true, show: ({ actual, currency }) => valueText(actual, currency, language) },
        {
          name: operators.closed,
          show: (difference) =>
            difference.closedAt === null ? (
              <RowButton
                text={texts.resolve}
                of={`${differenceKinds[difference.kind]} ${difference.subject}`}
                test="resolve"
                onClick={() => onResolve(difference)}
              />
            ) : (
              moment(difference.closedAt, language)
            ),
        },
        {
          name: common.details,
          show: ({ details }) => details && <span className="wrap">{alertWords(details, language)}</span>,
        },
        { name: operators.since, show: ({ foundAt }) => moment(foundAt, language) },
        { name: common.reason, show: ({ reason }) => reason },
      ]}
    />
  )
}

/** Both sides are shown as they are compared, digit by digit, as their reader writes a number; what is no amount stays as it is. */
function valueText(value: string | null, currency: string | null, language: Language): string {
  if (value === null) return '–'
  const shown = /^-?\d+(\.\d+)?$/.test(value) && currency !== null ? figure(value, language) : value
  return [shown, currency].filter(Boolean).join(' ')
}
