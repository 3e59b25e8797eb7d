import { Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { RoutedAnchor } from '../parts/links.js'
import { statementQuery, type StatementResult } from '../generated/operations.js'
import { useGraph } from '../graph/use-graph.js'
import { useLanguage, useText } from '../messages/use-text.js'
import { money, moment, shortened, spoken } from '../parts/format.js'
import { decimalsOf } from '../parts/decimals.js'
import { CsvExport } from '../parts/csv-export.js'
import { DayFields } from '../parts/day-fields.js'
import { Loading } from '../parts/loading.js'
import { Nothing } from '../parts/nothing.js'
import { PageTitle } from '../parts/page-title.js'
import { Pager } from '../parts/pager.js'
import { Section } from '../parts/section.js'
import { DataTable } from '../parts/table.js'
import { Terms } from '../parts/terms.js'
import { kindText, STATEMENT_HEADING, statementCsv, type StatementLine } from './statement-csv.js'
import { startOfDay } from './search-text.js'
import { statementSearch } from './statement-search.js'

type Statement = NonNullable<StatementResult['statement']>

const route = getRouteApi('/statement')
const PAGE_SIZE = 50
const DAYS = 30

/** What the tenant is owed, with the balances before and after. */
export function StatementPage(): ReactNode {
  const t = useText()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const [today] = useState(() => new Date().toLocaleDateString('sv-SE'))
  const time = {
    from: search.from ? startOfDay(search.from) : startOfDay(today, -DAYS),
    to: search.to && startOfDay(search.to, 1),
  }
  const { data, isLoading, error, again } = useGraph(statementQuery, { ...time, first: PAGE_SIZE, after: search.after })
  const page = data?.statement
  return (
    <Stack>
      <PageTitle title={t.nav.statement} lead={t.statement.lead}>
        <CsvExport
          fileName="statement.csv"
          heading={STATEMENT_HEADING}
          document={statementQuery}
          variables={time}
          pageOf={({ statement }) => statement}
          lineOf={statementCsv}
        />
      </PageTitle>
      <Group align="end">
        <DayFields
          days={search}
          onChange={(change) => void navigate({ search: statementSearch({ ...search, after: undefined, ...change }) })}
        />
      </Group>
      <Loading isLoading={isLoading} error={error} again={again} />
      {page && <Balances statement={page} />}
      {page && <Lines lines={page.edges.map(({ node }) => node)} />}
      <Pager page={page} after={search.after} go={(after) => void navigate({ search: { ...search, after } })} />
    </Stack>
  )
}

function Balances({ statement }: { statement: Statement }): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const sides = [
    [t.statement.opening, statement.openingBalances],
    [t.statement.closing, statement.closingBalances],
  ] as const
  const decimals = decimalsOf(
    sides.flatMap(([, balances]) => balances.map((one) => [one.balance, one.currency] as const)),
  )
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      {sides.map(([title, balances]) => (
        <Section key={title} title={title}>
          {balances.length === 0 && <Text size="sm">{t.common.none}</Text>}
          <Terms
            of={balances.map(({ account, currency, balance }) => [
              spoken(account, t.words),
              money(balance, currency, language, decimals(currency)),
            ])}
          />
        </Section>
      ))}
    </SimpleGrid>
  )
}

function Lines({ lines }: { lines: readonly StatementLine[] }): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const decimals = decimalsOf(lines.map(({ amount, currency }) => [amount, currency]))
  return (
    <DataTable
      label={t.nav.statement}
      test="statement"
      rows={lines.map((line, index) => ({ ...line, index }))}
      keyOf={({ index }) => String(index)}
      nothing={<Nothing text={t.statement.nothing} />}
      columns={[
        { name: t.statement.when, show: ({ at }) => moment(at, language) },
        { name: t.statement.entry, show: ({ kind }) => spoken(kindText(kind), t.words) },
        { name: t.statement.account, show: ({ account }) => <span className="when">{spoken(account, t.words)}</span> },
        {
          name: t.common.amount,
          isAmount: true,
          show: ({ amount, currency }) => money(amount, currency, language, decimals(currency)),
        },
        {
          name: t.common.receiver,
          show: ({ receiver }) => receiver && <span className="id">{shortened(receiver)}</span>,
        },
        {
          name: t.common.payment,
          show: ({ paymentId }) =>
            // What belongs to no payment, e.g. what was paid in for refunds, leads nowhere.
            paymentId !== null && (
              <RoutedAnchor to="/payments/$id" params={{ id: paymentId }} size="sm" className="id">
                {shortened(paymentId)}
              </RoutedAnchor>
            ),
        },
      ]}
    />
  )
}
