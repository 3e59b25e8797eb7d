import { Button, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useClient, type OperationResult } from 'urql'
import { statementQuery, type StatementResult, type StatementVariables } from '../generated/operations.js'
import { useText } from '../messages/use-text.js'
import { Refusal } from '../parts/refusal.js'
import { csvOf, type StatementLine } from './statement-csv.js'

const PAGE_SIZE = 100
const LINES_MAX = 10_000

/** Reads all pages of a statement and saves them as a file. */
export function StatementExport({ time }: { time: { from: string; to?: string } }): ReactNode {
  const t = useText()
  const client = useClient()
  const [isBusy, setBusy] = useState(false)
  const [isCut, setCut] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  const read = async (): Promise<{ lines: StatementLine[]; isWhole: boolean }> => {
    const lines: StatementLine[] = []
    let after: string | null = null
    do {
      const variables: StatementVariables = { ...time, first: PAGE_SIZE, after }
      const answer: OperationResult<StatementResult> = await client
        .query<StatementResult>(statementQuery.text, variables, { requestPolicy: 'network-only' })
        .toPromise()
      const page: StatementResult['statement'] = answer.data?.statement ?? null
      if (!page) throw new Error(answer.error?.message ?? 'there is no statement')
      lines.push(...page.edges.map(({ node }) => node))
      after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null
    } while (after !== null && lines.length < LINES_MAX)
    return { lines, isWhole: after === null }
  }
  const go = async (): Promise<void> => {
    setBusy(true)
    setFailed(false)
    try {
      const { lines, isWhole } = await read()
      setCut(!isWhole)
      save(csvOf(lines))
    } catch {
      // A part of a statement would look like the whole.
      setFailed(true)
    }
    setBusy(false)
  }
  return (
    <>
      <Button variant="default" loading={isBusy} onClick={() => void go()} data-test="export">
        {t.statement.export}
      </Button>
      {isCut && <Text role="status">{t.statement.cut}</Text>}
      {hasFailed && <Refusal refused={{ code: 'UNREACHABLE', message: '' }} />}
    </>
  )
}

function save(text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }))
  link.download = 'statement.csv'
  link.click()
  URL.revokeObjectURL(link.href)
}
